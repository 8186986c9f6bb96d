#ifndef YP_CLI_TABLE_H_
#define YP_CLI_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yp {

// A text table that fits a width by showing long cells in a shorter form.
class Table {
 public:
  enum class Column { kLeft, kRight, kFitted };  // kFitted: left, and may be shortened.
  // The forms of a cell's text, from the fullest to the shortest.
  using Cell = std::vector<std::string>;

  Table(std::vector<std::string> titles, std::vector<Column> columns);
  // As many cells as there are columns, each with at least one form.
  void AddRow(std::vector<Cell> cells);
  // Lines with their ends, no wider than `width` columns unless the cells that cannot be shortened
  // need more. 0 shows everything in full.
  std::string Render(size_t width) const;

 private:
  std::vector<size_t> ColumnWidths(size_t width) const;

  const std::vector<std::string> titles_;
  const std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// Columns on a terminal, counting a code point of UTF-8 as one.
size_t DisplayWidth(std::string_view text);

// The width of the terminal behind a file descriptor, else $COLUMNS, else 120.
size_t TerminalWidth(int fd);

}  // namespace yp

#endif  // YP_CLI_TABLE_H_
