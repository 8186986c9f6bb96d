#include "compiler/backend/parallel_move.h"

#include <algorithm>

namespace yp::compiler {

std::vector<Move> Sequence(std::vector<Move> moves, RegisterNumber scratch,
                           RegisterNumber scratch_xmm) {
  std::vector<Move> sequence;
  std::erase_if(moves, [](const Move& move) { return move.from == move.to; });
  while (!moves.empty()) {
    const auto is_free = [&](const Move& move) {
      return std::ranges::none_of(moves, [&](const Move& other) { return other.from == move.to; });
    };
    const auto next = std::ranges::find_if(moves, is_free);
    if (next != moves.end()) {
      sequence.push_back(*next);
      moves.erase(next);
      continue;
    }
    // Only circles are left. What the first one would write over goes aside; it is not in a circle
    // with what is aside already, as that one has been resolved to its end.
    const Location in_the_way = moves.front().to;
    const auto reader =
        std::ranges::find_if(moves, [&](const Move& move) { return move.from == in_the_way; });
    const Location aside{Location::Where::kRegister, IsInXmm(reader->kind) ? scratch_xmm : scratch,
                         nullptr};
    sequence.push_back({in_the_way, aside, reader->kind});
    for (Move& move : moves) {
      if (move.from == in_the_way) move.from = aside;
    }
  }
  return sequence;
}

}  // namespace yp::compiler
