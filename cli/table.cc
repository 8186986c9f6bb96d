#include "cli/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "cli/names.h"

namespace yp {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kMinNameWidth = 16;
constexpr size_t kWidthWithoutTerminal = 120;

// The first form that fits, else the shortest, cut.
std::string Fit(const Table::Cell& cell, size_t width) {
  for (const std::string& form : cell) {
    if (DisplayWidth(form) <= width) return form;
  }
  return ShortenName(cell.back(), width);
}

}  // namespace

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

Table::Layout Table::LayoutFor(size_t width) const {
  Layout layout;
  std::vector<size_t>& widths = layout.widths;
  std::vector<size_t> names;
  const auto fit_column = [&](size_t c, bool is_short) {
    widths[c] = DisplayWidth(titles_[c]);
    for (const auto& row : rows_) {
      widths[c] = std::max(widths[c], DisplayWidth(is_short ? row[c].back() : row[c].front()));
    }
  };
  widths.resize(columns_.size());
  for (size_t c = 0; c < columns_.size(); ++c) {
    fit_column(c, false);
    if (columns_[c] == Column::kName) names.push_back(c);
  }
  const size_t gaps = kGap * (columns_.size() - 1);
  const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), gaps); };
  if (width == 0 || total() <= width) return layout;
  layout.has_short_places = true;
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c] == Column::kPlace) fit_column(c, true);
  }
  if (total() <= width) return layout;

  // The names share what the others leave: the narrow ones get all that they need, the
  // wide ones equal parts.
  size_t space = width - std::min(width, gaps);
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c] != Column::kName) space -= std::min(space, widths[c]);
  }
  std::sort(names.begin(), names.end(), [&](size_t a, size_t b) { return widths[a] < widths[b]; });
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t share = std::max(space / (names.size() - i), kMinNameWidth);
    widths[names[i]] = std::min(widths[names[i]], share);
    space -= std::min(space, widths[names[i]]);
  }
  return layout;
}

std::string Table::Render(size_t width) const {
  const Layout layout = LayoutFor(width);
  const std::vector<size_t>& widths = layout.widths;
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
      if (columns_[c] == Column::kName) return Fit(row[c], widths[c]);
      return columns_[c] == Column::kPlace && layout.has_short_places ? row[c].back()
                                                                      : row[c].front();
    });
  }
  return out;
}

}  // namespace yp
