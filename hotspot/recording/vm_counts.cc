#include "hotspot/recording/vm_counts.h"

#include <string>
#include <utility>

#include "hotspot/vmstructs/vm_structs.h"
#include "recorder/log.h"

namespace yp::hotspot {

void VmCounts::MakeReader() {
  if (reader_ != nullptr) return;
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  Result<std::unique_ptr<ProfileReader>> reader =
      structs ? ProfileReader::Create(*structs, *code_cache_, jdk_feature_version_)
              : structs.status();
  if (reader) {
    reader_ = std::move(reader).value();
  } else {
    Log("the VM's method profiles cannot be read (" + std::string(reader.message()) +
        "); inlined calls are inferred without them");
  }
}

void VmCounts::ReadIn(Session& session, EntryWalker& walker, bool is_vm_start) {
  MakeReader();
  if (reader_ == nullptr) return;
  const int64_t before_ns = clock_.ThreadCpuNs();
  reader_->Begin({.observes_class =
                      [&walker](const std::string& class_name, bool is_of_boot_loader) {
                        return walker.ObservesClass(class_name, is_of_boot_loader);
                      },
                  .observes_jdk = session.filter().observes_jdk(),
                  .observed = [&walker](const auto& names) { return walker.Observed(names); },
                  .caller = [&walker](const auto& names,
                                      const auto& source) { return walker.Named(names, source); }},
                 is_vm_start);
  session.ReadProfilesWith(reader_.get(), clock_.ThreadCpuNs() - before_ns);
}

void VmCounts::GiveUp() {
  if (reader_ != nullptr) reader_->End();
}

}  // namespace yp::hotspot
