#ifndef YP_HOTSPOT_JIT_EARLIER_CODE_H_
#define YP_HOTSPOT_JIT_EARLIER_CODE_H_

#include <vector>

#include "base/status.h"
#include "format/spool/records.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// The compiled Java methods that calls or loops may enter now, by their names: what the VM's flight
// recorder does not tell, which only tells of compilations that end while it records. From any
// thread; 2 us for each. An error names what is missing from the tables.
Result<std::vector<spool::EarlierCode>> ListCode(const VmStructs& structs,
                                                 const CodeCache& code_cache);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_JIT_EARLIER_CODE_H_
