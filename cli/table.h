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
  // kName: left, and shortened by itself (ShortenName). kPlace: left; where there is not enough
  // room for the table, all of its cells are in their shortest form, and are never cut.
  enum class Column { kLeft, kRight, kName, kPlace };
  // The forms of a cell's text, from the fullest to the shortest.
  using Cell = std::vector<std::string>;

  Table(std::vector<std::string> titles, std::vector<Column> columns);
  // As many cells as there are columns, each with at least one form.
  void AddRow(std::vector<Cell> cells);
  // Lines with their ends, no wider than `width` columns unless the cells that cannot be shortened
  // need more. 0 shows everything in full.
  std::string Render(size_t width) const;

 private:
  struct Layout {
    std::vector<size_t> widths;
    bool has_short_places = false;
  };
  Layout LayoutFor(size_t width) const;

  const std::vector<std::string> titles_;
  const std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// The width of the terminal behind a file descriptor, else $COLUMNS, else 120.
size_t TerminalWidth(int fd);

}  // namespace yp

#endif  // YP_CLI_TABLE_H_
