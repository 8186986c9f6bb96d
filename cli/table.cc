#include "cli/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/utf8.h"

namespace yp {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kMinFittedWidth = 16;
constexpr size_t kWidthWithoutTerminal = 120;
constexpr std::string_view kEllipsis = "…";

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The first form that fits, else the shortest with its end cut off.
std::string Fit(const Table::Cell& cell, size_t width) {
  for (const std::string& form : cell) {
    if (DisplayWidth(form) <= width) return form;
  }
  const std::string& form = cell.back();
  size_t end = 0;
  for (size_t characters = 0; end < form.size(); ++end) {
    if (StartsCharacter(form[end]) && ++characters == width) break;
  }
  return form.substr(0, end).append(kEllipsis);
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), StartsCharacter));
}

size_t TerminalWidth(int fd) {
  winsize size{};
  if (isatty(fd) != 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* const columns = std::getenv("COLUMNS");
  const int width = columns == nullptr ? 0 : std::atoi(columns);
  return width > 0 ? static_cast<size_t>(width) : kWidthWithoutTerminal;
}

Table::Table(std::vector<std::string> titles, std::vector<Column> columns)
    : titles_(std::move(titles)), columns_(std::move(columns)) {}

void Table::AddRow(std::vector<Cell> cells) {
  for (Cell& cell : cells) {
    for (std::string& form : cell) form = ForTerminal(form);
  }
  rows_.push_back(std::move(cells));
}

std::vector<size_t> Table::ColumnWidths(size_t width) const {
  std::vector<size_t> widths;
  std::vector<size_t> fitted;
  for (size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(DisplayWidth(titles_[c]));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], DisplayWidth(row[c].front()));
    if (columns_[c] == Column::kFitted) fitted.push_back(c);
  }
  const size_t gaps = kGap * (columns_.size() - 1);
  const size_t total = std::accumulate(widths.begin(), widths.end(), gaps);
  if (width == 0 || total <= width || fitted.empty()) return widths;

  // The fitted columns share what the others leave: the narrow ones get all that they need, the
  // wide ones equal parts.
  size_t space = width - std::min(width, gaps);
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c] != Column::kFitted) space -= std::min(space, widths[c]);
  }
  std::sort(fitted.begin(), fitted.end(),
            [&](size_t a, size_t b) { return widths[a] < widths[b]; });
  for (size_t i = 0; i < fitted.size(); ++i) {
    const size_t share = std::max(space / (fitted.size() - i), kMinFittedWidth);
    widths[fitted[i]] = std::min(widths[fitted[i]], share);
    space -= std::min(space, widths[fitted[i]]);
  }
  return widths;
}

std::string Table::Render(size_t width) const {
  const std::vector<size_t> widths = ColumnWidths(width);
  std::string out;
  const auto add_line = [&](auto text_of) {
    std::string line;
    for (size_t c = 0; c < columns_.size(); ++c) {
      const std::string text = text_of(c);
      const std::string padding(widths[c] - std::min(widths[c], DisplayWidth(text)), ' ');
      if (c > 0) line.append(kGap, ' ');
      line += columns_[c] == Column::kRight ? padding + text : text + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add_line([&](size_t c) { return titles_[c]; });
  for (const auto& row : rows_) {
    add_line([&](size_t c) {
      return columns_[c] == Column::kFitted ? Fit(row[c], widths[c]) : row[c].front();
    });
  }
  return out;
}

}  // namespace yp
