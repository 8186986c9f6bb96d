#include "hotspot/discovery/receiver_calls.h"

#include <algorithm>
#include <atomic>

namespace yp::hotspot {

bool ReceiverCalls::IsWorthOne(EdgeId edge) {
  std::atomic<uint16_t>* walks = walks_.Find(edge);
  if (walks == nullptr) return false;
  const uint16_t before = walks->load(std::memory_order_relaxed);
  if (before == kWalksWorthAReceiverCall) return false;
  // What two threads count at the same time may count once.
  walks->store(static_cast<uint16_t>(before + 1), std::memory_order_relaxed);
  return before + 1 == kWalksWorthAReceiverCall;
}

void ReceiverCalls::Want(MethodId caller, int32_t bci, const std::string& class_name,
                         uint32_t round) {
  if (!wanted_.insert({caller, bci}).second) return;
  if (classes_to_rewrite_.empty()) rewrite_round_ = round + patience_;
  wanted_in_.insert(class_name);
  classes_to_rewrite_.insert(class_name);
}

std::vector<std::string> ReceiverCalls::TakeClassesToRewrite(uint32_t round) {
  if (classes_to_rewrite_.empty() || round < rewrite_round_) return {};
  patience_ = std::min(2 * patience_, kMaxPatienceRounds);
  const std::set<std::string> taken = std::exchange(classes_to_rewrite_, {});
  return {taken.begin(), taken.end()};
}

const CallReference* ReceiverCalls::Find(int32_t site) const {
  const auto found = sites_.find(site);
  return found == sites_.end() ? nullptr : &found->second;
}

void ReceiverCalls::Tell(DiscoveryTables& tables, int32_t site, uint32_t class_hash,
                         const ClassHierarchy::Callee& callee) {
  const uint64_t key = ReceiverSet::Key(site, class_hash);
  uint64_t entry =
      ReceiverSet::MakeEntry(key, callee.method == kNoMethod ? 0 : ToIndex(callee.method));
  if (callee.certainty == ClassHierarchy::Callee::Certainty::kUnsure) {
    entry |= ReceiverSet::kAnnounces;
  }
  auto& entries = tables.receivers[ReceiverSet::Number(key)].entries;
  const auto has_tag = [&](const std::atomic<uint64_t>& other) {
    constexpr uint64_t kNames = ReceiverSet::kValid | ReceiverSet::kTagMask;
    return ((other.load(std::memory_order_relaxed) ^ entry) & kNames) == 0;
  };
  const auto is_empty = [](const std::atomic<uint64_t>& other) {
    return other.load(std::memory_order_relaxed) == 0;
  };
  const bool is_second = !has_tag(entries[0]) && !is_empty(entries[0]) &&
                         (has_tag(entries[1]) || is_empty(entries[1]));
  entries[is_second ? 1 : 0].store(entry, std::memory_order_relaxed);
}

}  // namespace yp::hotspot
