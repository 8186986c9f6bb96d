#include "compiler/install/vm_layout.h"

#include <string>

namespace yp::compiler {
namespace {

// By Mark.
constexpr std::array<const char*, kMarks> kMarkNames = {
    "CodeInstaller::VERIFIED_ENTRY",      "CodeInstaller::UNVERIFIED_ENTRY",
    "CodeInstaller::OSR_ENTRY",           "CodeInstaller::EXCEPTION_HANDLER_ENTRY",
    "CodeInstaller::DEOPT_HANDLER_ENTRY", "CodeInstaller::DEOPT_MH_HANDLER_ENTRY",
    "CodeInstaller::FRAME_COMPLETE",      "CodeInstaller::ENTRY_BARRIER_PATCH",
    "CodeInstaller::INVOKEVIRTUAL",       "CodeInstaller::INVOKEINTERFACE",
    "CodeInstaller::INVOKESTATIC",        "CodeInstaller::INVOKESPECIAL",
    "CodeInstaller::INLINE_INVOKE",       "CodeInstaller::POLL_FAR",
    "CodeInstaller::POLL_RETURN_FAR",
};
// By Trap.
constexpr std::array<const char*, kTraps> kTrapNames = {
    "trap:unresolved",  "trap:unresolved_keep", "trap:null_check",
    "trap:bounds",      "trap:division",        "trap:class_cast",
    "trap:array_store", "trap:interpreter",     "trap:speculation",
};

// JDK 26 gave G1's barriers another form (JEP 522), in which each thread has its own card table.
constexpr int64_t kOtherG1 = 26;

Result<Collector> FindCollector(VmStoreReader& store, int64_t jdk) {
  if (store.GetOr("flag:UseSerialGC", 0) != 0) return Collector::kSerial;
  if (store.GetOr("flag:UseParallelGC", 0) != 0) return Collector::kParallel;
  if (store.GetOr("flag:UseG1GC", 0) != 0) {
    if (jdk < kOtherG1) return Collector::kG1;
    return Status::Error("G1 of JDK 26, which the compiler does not know: use Serial or Parallel");
  }
  return Status::Error("a collector that the compiler does not know: use Serial, Parallel or G1");
}

int32_t LowestBit(int64_t bits) { return static_cast<int32_t>(bits & -bits); }

void ReadThread(VmStoreReader& store, VmLayout& vm) {
  const auto offset = [&](std::initializer_list<std::string_view> names) {
    return static_cast<int32_t>(store.Get(names));
  };
  const int32_t tlab = offset({"Thread::_tlab"});
  vm.tlab_top = tlab + offset({"ThreadLocalAllocBuffer::_top"});
  vm.tlab_end = tlab + offset({"ThreadLocalAllocBuffer::_end"});
  vm.use_tlab = store.GetOr("flag:UseTLAB", 0) != 0;
  vm.pending_deoptimization = offset({"JavaThread::_pending_deoptimization"});
  vm.polling_page = offset({"JavaThread::_poll_data", "Thread::_poll_data"}) +
                    offset({"SafepointMechanism::ThreadData::_polling_page"});
  vm.pending_exception = offset({"ThreadShadow::_pending_exception"});
  vm.exception_oop = offset({"JavaThread::_exception_oop"});
  vm.exception_pc = offset({"JavaThread::_exception_pc"});
  if (store.Has("JavaThread::_should_post_on_exceptions_flag")) {
    vm.posts_exceptions = offset({"JavaThread::_should_post_on_exceptions_flag"});
  }
  vm.vm_result = offset({"JavaThread::_vm_result", "JavaThread::_vm_result_oop"});
  const int32_t anchor = offset({"JavaThread::_anchor"});
  vm.last_java_sp = anchor + offset({"JavaFrameAnchor::_last_Java_sp"});
  vm.last_java_fp = anchor + offset({"JavaFrameAnchor::_last_Java_fp"});
  vm.last_java_pc = anchor + offset({"JavaFrameAnchor::_last_Java_pc"});
  const bool has_words = store.Has("JavaThread::_jvmci_reserved0") &&
                         store.Has("JavaThread::_jvmci_reserved1") &&
                         store.Has("JavaThread::_jni_environment");
  if (has_words) {
    vm.yieldpoints = {.state = offset({"JavaThread::_jvmci_reserved0"}),
                      .record = offset({"JavaThread::_jvmci_reserved1"}),
                      .jni_environment = offset({"JavaThread::_jni_environment"})};
  }
}

void ReadHeap(VmStoreReader& store, VmLayout& vm) {
  vm.compressed_oops = store.Get("flag:UseCompressedOops") != 0;
  vm.oop_base = static_cast<uint64_t>(store.Get("CompilerToVM::Data::Universe_narrow_oop_base"));
  vm.oop_shift = static_cast<uint8_t>(store.Get("CompilerToVM::Data::Universe_narrow_oop_shift"));
  vm.compressed_classes = store.Get("flag:UseCompressedClassPointers") != 0;
  vm.klass_base =
      static_cast<uint64_t>(store.Get("CompilerToVM::Data::Universe_narrow_klass_base"));
  vm.klass_shift =
      static_cast<uint8_t>(store.Get("CompilerToVM::Data::Universe_narrow_klass_shift"));
  vm.object_alignment = static_cast<int32_t>(store.Get("flag:ObjectAlignmentInBytes"));
  vm.array_length = vm.compressed_classes ? 12 : 16;
  for (const char type : {'Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D', 'L'}) {
    vm.array_base[static_cast<size_t>(type)] =
        static_cast<int32_t>(store.Get(std::string("yp:array_base:") + type));
  }
  vm.array_base['['] = vm.array_base['L'];
  vm.card_table = static_cast<uint64_t>(store.Get("CompilerToVM::Data::cardtable_start_address"));
  vm.card_shift = static_cast<uint8_t>(store.Get("CompilerToVM::Data::cardtable_shift"));
  if (vm.collector == Collector::kG1) {
    vm.region_shift = static_cast<uint8_t>(
        store.Get({"HeapRegion::LogOfHRGrainBytes", "G1HeapRegion::LogOfHRGrainBytes"}));
    vm.satb_active =
        static_cast<int32_t>(store.Get("G1ThreadLocalData::satb_mark_queue_active_offset"));
    vm.young_card = static_cast<int32_t>(store.Get("G1CardTable::g1_young_gen"));
  }
}

void ReadKlass(VmStoreReader& store, VmLayout& vm) {
  const auto offset = [&](std::string_view name) { return static_cast<int32_t>(store.Get(name)); };
  vm.layout_helper = offset("Klass::_layout_helper");
  vm.super_check_offset = offset("Klass::_super_check_offset");
  vm.secondary_supers = offset("Klass::_secondary_supers");
  vm.secondary_super_cache = offset("Klass::_secondary_super_cache");
  constexpr int64_t kVirtualThreads = 19;
  vm.java_mirror = offset("Klass::_java_mirror");
  vm.current_thread =
      offset(vm.jdk >= kVirtualThreads ? "JavaThread::_vthread" : "JavaThread::_threadObj");
  vm.class_klass = offset("java_lang_Class::_klass_offset");
  vm.element_klass = offset("ObjArrayKlass::_element_klass");
  vm.array_elements = offset("Array<Klass*>::_data[0]");
  vm.array_count = offset("Array<Klass*>::_length");
  vm.boolean_array_bit =
      LowestBit(store.Get("yp:layout:boolean[]") & ~store.Get("yp:layout:byte[]"));
  vm.init_state = offset("InstanceKlass::_init_state");
  vm.fully_initialized = offset("InstanceKlass::fully_initialized");
  vm.init_thread = offset("InstanceKlass::_init_thread");
  // JDK 24 moved the flag out of the access flags.
  vm.finalizer_flags_are_bytes = store.Has("KlassFlags::_misc_has_finalizer");
  vm.finalizer_flags =
      static_cast<int32_t>(vm.finalizer_flags_are_bytes ? store.Get("Klass::_misc_flags._flags")
                                                        : store.Get("Klass::_access_flags"));
  vm.finalizer_bit =
      static_cast<int32_t>(store.Get({"JVM_ACC_HAS_FINALIZER", "KlassFlags::_misc_has_finalizer"}));
}

std::optional<VmLayout::Dispatch> ReadDispatch(const VmStore& from) {
  VmStoreReader store(from);
  const auto offset = [&](std::string_view name) { return static_cast<int32_t>(store.Get(name)); };
  VmLayout::Dispatch dispatch{
      .klass_super = offset("Klass::_super"),
      .klass_name = offset("Klass::_name"),
      .klass_loader_data = offset("Klass::_class_loader_data"),
      .vtable_start = offset("CompilerToVM::Data::Klass_vtable_start_offset"),
      .vtable_length = offset("CompilerToVM::Data::Klass_vtable_length_offset"),
      .method_vtable_index = offset("Method::_vtable_index"),
      .method_compiled_entry = offset("Method::_from_compiled_entry"),
      .method_access_flags = offset("Method::_access_flags"),
      .method_const = offset("Method::_constMethod"),
      .const_constants = offset("ConstMethod::_constants"),
      .const_name = offset("ConstMethod::_name_index"),
      .const_descriptor = offset("ConstMethod::_signature_index"),
      .pool_holder = offset("ConstantPool::_pool_holder"),
      .pool_bytes = offset("CompilerToVM::Data::sizeof_ConstantPool"),
  };
  const bool has_entries = store.Get("CompilerToVM::Data::sizeof_vtableEntry") == 8;
  if (!store.missing().empty() || !has_entries) return std::nullopt;
  return dispatch;
}

std::optional<VmLayout::ReservedStack> ReadReservedStack(const VmStore& from) {
  VmStoreReader store(from);
  VmLayout::ReservedStack stack;
  stack.activation = static_cast<int32_t>(
      store.Get("JavaThread::_stack_overflow_state._reserved_stack_activation"));
  stack.enable = static_cast<uint64_t>(store.Get("SharedRuntime::enable_stack_reserved_zone"));
  stack.throw_delayed = static_cast<uint64_t>(
      store.Get({"StubRoutines::_throw_delayed_StackOverflowError_entry",
                 "CompilerToVM::Data::SharedRuntime_throw_delayed_StackOverflowError_entry"}));
  // JDK 21 moved the flag.
  if (store.Has("ConstMethodFlags::_misc_reserved_stack_access")) {
    stack.method_const = static_cast<int32_t>(store.Get("Method::_constMethod"));
    stack.flags = static_cast<int32_t>(store.Get("ConstMethod::_flags._flags"));
    stack.bit = static_cast<int32_t>(store.Get("ConstMethodFlags::_misc_reserved_stack_access"));
  } else {
    stack.flags = static_cast<int32_t>(store.Get("Method::_flags"));
    stack.bit = static_cast<int32_t>(store.Get("Method::_reserved_stack_access"));
  }
  if (!store.missing().empty()) return std::nullopt;
  return stack;
}

constexpr int64_t kLegacyLocking = 1, kLightweightLocking = 2;

int64_t LockingMode(const VmStoreReader& store) {
  const bool is_old = store.Has("BasicLock::_displaced_header");  // _metadata since JDK 22
  return store.GetOr("flag:LockingMode", is_old ? kLegacyLocking : kLightweightLocking);
}

// Where a BasicLock holds the object's displaced header, a monitor that the thread owns already is
// entered without a word to the BasicLock (ObjectSynchronizer::quick_enter): the VM's own compilers
// have written markWord::unused_mark there. With lightweight locking it may be a cache of the
// monitor, which must be empty.
int32_t BasicLockBeforeEntry(const VmStoreReader& store) {
  constexpr int32_t kUnusedMark = 3;
  return LockingMode(store) == kLightweightLocking ? 0 : kUnusedMark;
}

// JDK 24 made owners numbers, JDK 25 has one list for two. With a table of monitors, objects do not
// lead to theirs.
std::optional<VmLayout::Monitors::Inflated> ReadInflated(const VmStore& from, int64_t jdk) {
  constexpr int64_t kOwnersAreNumbers = 24;
  VmStoreReader store(from);
  const auto offset = [&](std::string_view name) { return static_cast<int32_t>(store.Get(name)); };
  VmLayout::Monitors::Inflated inflated;
  inflated.owner = offset("ObjectMonitor::_owner");
  inflated.recursions = offset("ObjectMonitor::_recursions");
  if (jdk < kOwnersAreNumbers) {
    inflated.entering[0] = offset("ObjectMonitor::_cxq");
    inflated.entering[1] = offset("ObjectMonitor::_EntryList");
  } else {
    inflated.entering[0] = inflated.entering[1] = offset("ObjectMonitor::_entry_list");
    inflated.thread_as_owner = offset("JavaThread::_monitor_owner_id");
  }
  const bool has_table = store.GetOr("flag:UseObjectMonitorTable", 1) != 0;
  if (has_table || !store.missing().empty()) return std::nullopt;
  return inflated;
}

// By the VM where anything is not as it is known here, or where the VM wants to see each monitor.
// JDK 19 to 23 count the monitors that a thread holds, with each way of locking; since JDK 24 they
// do so with LM_LEGACY only, and the lock stack has an object more than once.
VmLayout::Monitors ReadMonitors(const VmStore& from, int64_t jdk) {
  constexpr int64_t kFirstThatCounts = 19, kFirstWithRecursion = 24;
  using Way = VmLayout::Monitors::Way;
  VmStoreReader store(from);
  const bool is_known =
      store.Get("markWord::unlocked_value") == 1 && store.Get("markWord::monitor_value") == 2 &&
      store.Get("oopDesc::_mark") == 0 && store.Get("flag:DiagnoseSyncOnValueBasedClasses") == 0 &&
      store.GetOr("flag:UseHeavyMonitors", 0) == 0 && store.GetOr("flag:UseRTMLocking", 0) == 0 &&
      store.GetOr("flag:UseRTMForStackLocks", 0) == 0 &&
      store.GetOr("flag:JVMCIUseFastLocking", 1) != 0;
  const auto offset = [&](std::string_view name) { return static_cast<int32_t>(store.Get(name)); };
  VmLayout::Monitors monitors;
  if (LockingMode(store) == kLegacyLocking) {
    monitors.way = Way::kStack;
    if (jdk >= kFirstThatCounts) monitors.held_count = offset("JavaThread::_held_monitor_count");
  } else if (LockingMode(store) == kLightweightLocking && jdk >= kFirstWithRecursion) {
    monitors.way = Way::kLockStack;
    monitors.lock_stack_top = offset("JavaThread::_lock_stack") + offset("LockStack::_top");
    monitors.lock_stack_end = offset("LockStack::_end_offset");
  }
  if (!is_known || !store.missing().empty()) return {};
  monitors.inflated = ReadInflated(from, jdk);
  return monitors;
}

void ReadCode(VmStoreReader& store, VmLayout& vm) {
  const auto address = [&](std::initializer_list<std::string_view> names) {
    return static_cast<uint64_t>(store.Get(names));
  };
  vm.page_bytes = static_cast<int32_t>(store.Get("CompilerToVM::Data::vm_page_size"));
  vm.shadow_zone_bytes = static_cast<int32_t>(store.Get("flag:StackShadowPages")) * vm.page_bytes;
  vm.uncommon_trap = address({"CompilerToVM::Data::SharedRuntime_deopt_blob_uncommon_trap"});
  vm.deopt_unpack = address({"CompilerToVM::Data::SharedRuntime_deopt_blob_unpack"});
  vm.inline_cache_miss = address({"CompilerToVM::Data::SharedRuntime_ic_miss_stub"});
  vm.wrong_method = address({"CompilerToVM::Data::SharedRuntime_handle_wrong_method_stub"});
  if (store.Has("CompiledICData::_speculated_klass")) {  // JDK 23
    vm.inline_cache_klass = static_cast<int32_t>(store.Get("CompiledICData::_speculated_klass"));
  }
  vm.entry_barrier =
      static_cast<uint64_t>(store.GetOr("CompilerToVM::Data::nmethod_entry_barrier", 0));
  if (vm.entry_barrier != 0) {
    vm.entry_guard =
        static_cast<int32_t>(store.Get("CompilerToVM::Data::thread_disarmed_guard_value_offset"));
  }
  vm.post_call_nops = store.GetOr("CompilerToVM::Data::continuations_enabled", 0) != 0;
  for (size_t i = 0; i < kMarks; ++i) {
    vm.marks[i] = static_cast<int32_t>(store.GetOr(kMarkNames[i], -1));
  }
  for (size_t i = 0; i < kTraps; ++i) {
    vm.traps[i] = static_cast<int32_t>(store.Get(kTrapNames[i]));
  }
  vm.new_instance = address({"JVMCIRuntime::new_instance_or_null"});
  vm.new_array = address({"JVMCIRuntime::new_array_or_null"});
  vm.new_multi_array = address({"JVMCIRuntime::new_multi_array_or_null"});
  vm.basic_lock_before_entry = BasicLockBeforeEntry(store);
  vm.monitor_enter = address({"JVMCIRuntime::monitorenter"});
  vm.monitor_exit = address({"JVMCIRuntime::monitorexit"});
  vm.register_finalizer = address({"SharedRuntime::register_finalizer"});
  vm.exception_handler_for_pc = address({"JVMCIRuntime::exception_handler_for_pc"});
  vm.exception_handler_for_return =
      address({"SharedRuntime::exception_handler_for_return_address"});
  vm.barrier_pre = address({"JVMCIRuntime::write_barrier_pre"});
  vm.barrier_post = address({"JVMCIRuntime::write_barrier_post"});
  vm.array_copy = address({"StubRoutines::_generic_arraycopy"});
  vm.osr_migration_end = address({"SharedRuntime::OSR_migration_end"});
  vm.float_remainder = address({"SharedRuntime::frem"});
  vm.double_remainder = address({"SharedRuntime::drem"});
  // Where a flag takes intrinsics away, the interpreter may execute a method's own code (JDK 25),
  // and JVMCI name another function.
  const bool has_all = store.Get("yp:has_all_intrinsics") != 0;
  for (size_t i = 0; i < kLeaves; ++i) {
    const LeafFunction& function = kLeafFunctions[i];
    if (!has_all && function.effect == LeafFunction::Effect::kValue) continue;
    vm.leaves[i] = static_cast<uint64_t>(store.GetOr(function.name, 0));
  }
}

}  // namespace

Result<VmLayout> VmLayout::From(const VmStore& from) {
  VmStoreReader store(from);
  VmLayout vm;
  vm.jdk = store.Get("yp:jdk");
  const Result<Collector> collector = FindCollector(store, vm.jdk);
  if (!collector) return collector.status();
  vm.collector = *collector;
  if (store.GetOr("flag:UseCompactObjectHeaders", 0) != 0) {
    return Status::Error("compact object headers: use -XX:-UseCompactObjectHeaders");
  }
  if (store.GetOr("flag:UseBiasedLocking", 0) != 0) {
    return Status::Error("biased locking: use -XX:-UseBiasedLocking");
  }
  ReadThread(store, vm);
  ReadHeap(store, vm);
  ReadKlass(store, vm);
  ReadCode(store, vm);
  vm.dispatch = ReadDispatch(from);
  vm.reserved_stack = ReadReservedStack(from);
  vm.monitors = ReadMonitors(from, vm.jdk);
  if (store.Get("CompilerToVM::Data::sizeof_BasicLock") != 8) {
    return Status::Error("monitors of a size that the compiler does not know");
  }
  if (!store.missing().empty()) {
    return Status::Error("this JVM does not say its " + store.missing().front());
  }
  return vm;
}

uint8_t VmLayout::ElementShift(char type) const {
  switch (type) {
    case 'Z':
    case 'B':
      return 0;
    case 'C':
    case 'S':
      return 1;
    case 'I':
    case 'F':
      return 2;
    case 'L':
      return compressed_oops ? 2 : 3;
    default:
      return 3;
  }
}

}  // namespace yp::compiler
