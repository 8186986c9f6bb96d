#include "format/profile/schema.h"

#include "format/profile/sql_table.h"
#include "format/profile/tables.h"

namespace yp {
namespace {

constexpr char kCreateView[] = R"sql(
CREATE VIEW named_edges AS
  SELECT coalesce(caller.full_name, '(root)') AS caller, edges.bci AS bci, edges.line AS line,
         callee.full_name AS callee, edges.samples AS samples,
         CASE WHEN edges.flags & 8 THEN NULL
              ELSE CAST(max(edges.calls > 0, round(edges.calls)) AS INTEGER) END AS calls,
         CASE WHEN edges.flags & 8 THEN NULL
              ELSE CAST(max(edges.uncorrected > 0, round(edges.uncorrected)) AS INTEGER)
              END AS uncorrected,
         CASE WHEN edges.flags & 8 THEN NULL ELSE CAST(edges.low AS INTEGER) END AS low,
         CASE WHEN edges.flags & 12 THEN NULL
              ELSE CAST(edges.high AS INTEGER) + (edges.high > CAST(edges.high AS INTEGER))
              END AS high,
         CASE WHEN edges.flags & 12 THEN NULL ELSE edges.share_low END AS share_low,
         CASE WHEN edges.flags & 12 THEN NULL ELSE edges.share_high END AS share_high,
         edges.variance AS variance, edges.flags AS flags
  FROM edges LEFT JOIN methods AS caller ON caller.id = edges.caller
             JOIN methods AS callee ON callee.id = edges.callee;
)sql";

template <typename... Rows>
std::string CreateTables(const std::tuple<Rows...>*) {
  return (CreateStatement<Rows>() + ...);
}

}  // namespace

std::string CreateSchema() {
  return CreateTables(static_cast<const table::AllTables*>(nullptr)) + kCreateView;
}

}  // namespace yp
