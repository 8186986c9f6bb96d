#ifndef YP_FORMAT_PAGE_PAGE_SLICES_H_
#define YP_FORMAT_PAGE_PAGE_SLICES_H_

#include <cstddef>

#include "format/page/json_writer.h"
#include "format/profile/profile.h"

namespace yp {

// What a page needs to show a part of the run, or some of its threads: calls by samples and stacks
// by equal parts of the run and by threads. An object; null where nothing has times. `max_nodes`:
// as of the tree of stacks that the page has.
void WriteSlices(const Profile& profile, size_t max_nodes, JsonWriter& json);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_SLICES_H_
