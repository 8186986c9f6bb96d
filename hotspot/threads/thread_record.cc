#include "hotspot/threads/thread_record.h"

#include "base/zeroed_pages.h"

namespace yp::hotspot {

ThreadRecord::~ThreadRecord() {
  if (shared != nullptr) UnmapPages(shared, shared_bytes);
}

}  // namespace yp::hotspot
