#ifndef YP_HOTSPOT_VMSTRUCTS_CLASSES_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_CLASSES_FOR_TEST_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {

// Linked classes with methods, constant pools, vtables and itables in ordinary memory, laid out
// like those of a JDK.
class FakeClasses {
 public:
  static constexpr size_t kEntries = 256, kTableWords = 32;
  struct Symbol {
    uint32_t hash = 0;
    uint16_t length = 0;
    char body[32] = {};
  };
  template <typename T>
  struct Array {
    int32_t length = 0;
    T data[kEntries] = {};
  };
  // JDK 17's ConstantPoolCacheEntry, and JDK 25's ResolvedMethodEntry.
  struct OldEntry {
    uint64_t indices = 0;
    const void* f1 = nullptr;
    uint64_t f2 = 0, flags = 0;
  };
  struct NewEntry {
    const void* method = nullptr;
    uint64_t specific = 0;
    uint16_t pool_index = 0, parameters = 0;
    uint8_t type = 0, flags = 0, first_opcode = 0, second_opcode = 0;
  };
  struct Cache {
    int32_t length = 0;
    Array<NewEntry>* entries = nullptr;
    OldEntry old_entries[kEntries] = {};
  };
  struct Class;
  struct Pool {
    int64_t vtable = 0;
    Array<uint8_t>* tags = nullptr;
    Cache* cache = nullptr;
    Class* holder = nullptr;
    Array<Class*>* resolved_classes = nullptr;
    int32_t length = kEntries;
    uint16_t source_file = 0;
    uint64_t entries[kEntries] = {};
  };
  struct ConstMethod {
    Pool* constants = nullptr;
    uint16_t code_size = 0, name_index = 0, signature_index = 0, flags = 0;
    int32_t words = 0;
    uint8_t code[64] = {};  // And what is behind it.
  };
  struct Method {
    int64_t vtable = 0;
    ConstMethod* const_method = nullptr;
    uint32_t access_flags = 0;
    int32_t vtable_index = -2;
    const void* data = nullptr;  // Its MethodData.
    const void* counters = nullptr;
  };
  struct LoaderData {
    int64_t holder = 0;
    const void* loader = nullptr;
    const LoaderData* next = nullptr;
    const Class* classes = nullptr;
  };
  struct Counters {
    int64_t vtable = 0;
    uint32_t invocations = 0, loops = 0;
  };
  struct Class {
    int64_t vtable = 0;
    const Symbol* name = nullptr;
    const Class* next_link = nullptr;  // Of the same loader.
    LoaderData loader_data_of_its_own;
    const LoaderData* loader_data = nullptr;
    int32_t layout_helper = 16;
    Class* super = nullptr;
    int32_t vtable_length = 0, itable_length = 0;
    Array<Method*>* methods = nullptr;
    Array<Class*>* interfaces = nullptr;
    uint8_t init_state = 4;
    Pool* pool = nullptr;
    uint16_t source_file = 0;  // On JDK 11 the class has it.
    uint16_t next_entry = 1, next_call = 0, next_class = 0;
    uint64_t tables[kTableWords] = {};
  };

  explicit FakeClasses(int jdk) : jdk_(jdk) { AddTables(); }
  FakeClasses(const FakeClasses&) = delete;
  FakeClasses& operator=(const FakeClasses&) = delete;

  Class* AddClass(Class* super = nullptr) {
    Class* klass = &classes_.emplace_back();
    klass->super = super;
    klass->loader_data = &klass->loader_data_of_its_own;
    klass->loader_data_of_its_own.classes = klass;
    klass->loader_data_of_its_own.next = first_loader_;
    first_loader_ = &klass->loader_data_of_its_own;
    klass->methods = &method_arrays_.emplace_back();
    klass->interfaces = &class_arrays_.emplace_back();
    klass->pool = &pools_.emplace_back();
    klass->pool->holder = klass;
    klass->pool->tags = &tags_.emplace_back();
    klass->pool->resolved_classes = &class_arrays_.emplace_back();
    klass->pool->cache = &caches_.emplace_back();
    klass->pool->cache->entries = &entries_.emplace_back();
    return klass;
  }
  Method* AddMethod(Class* klass, const char* name, const char* descriptor, uint32_t flags,
                    int32_t vtable_index, const std::vector<uint8_t>& code = {177}) {
    Method* method = &methods_.emplace_back();
    method->const_method = &const_methods_.emplace_back();
    method->const_method->constants = klass->pool;
    method->const_method->name_index = AddText(klass, name);
    method->const_method->signature_index = AddText(klass, descriptor);
    method->const_method->code_size = static_cast<uint16_t>(code.size());
    std::copy(code.begin(), code.end(), method->const_method->code);
    method->access_flags = 0xabcd0000 | flags;
    method->vtable_index = vtable_index;
    // Sorted by the addresses of their names, as the VM does.
    const auto name_of = [](const Method* of) {
      return of->const_method->constants->entries[of->const_method->name_index];
    };
    Method** const first = klass->methods->data;
    Method** const end = first + klass->methods->length++;
    Method** const place =
        std::upper_bound(first, end, method,
                         [&](const Method* a, const Method* b) { return name_of(a) < name_of(b); });
    std::move_backward(place, end, end + 1);
    *place = method;
    return method;
  }
  // The class is of another's loader.
  void LoadBeside(Class* klass, Class* other) {
    LoaderData& loader = other->loader_data_of_its_own;
    klass->loader_data_of_its_own.classes = nullptr;
    klass->loader_data = &loader;
    klass->next_link = loader.classes;
    loader.classes = klass;
  }
  // The interpreter has counted so many calls of it, before it had a MethodData, and branches back.
  void SetInterpreted(Method* method, uint32_t calls, uint32_t loops = 0) {
    method->counters =
        &counters_.emplace_back(Counters{.invocations = calls << 1 | 1, .loops = loops << 1});
  }
  // Its file and its lines, as the VM packs them.
  void SetSource(Class* klass, Method* method, const char* file,
                 const std::vector<uint8_t>& lines) {
    (jdk_ <= 11 ? klass->source_file : klass->pool->source_file) = AddText(klass, file);
    ConstMethod& body = *method->const_method;
    std::copy(lines.begin(), lines.end(), body.code + body.code_size);
    body.flags |= 1;
    body.words = sizeof(ConstMethod) / 8;
  }
  // Not of the boot loader unless `loader` is null.
  void NameClass(Class* klass, const char* name, const void* loader) {
    klass->name = SymbolOf(name);
    klass->loader_data_of_its_own.loader = loader;
  }
  // Makes room for what a class's call names: its index in the constant pool's cache.
  uint16_t AddCall(Class* caller, Class* of, const char* name, const char* descriptor) {
    return AddUse(caller, 10, of, name, descriptor);
  }
  // The same of a field.
  uint16_t AddField(Class* user, Class* of, const char* name) {
    return AddUse(user, 9, of, name, "I");
  }
  // A class that another one names: its index in the pool.
  uint16_t AddClassConstant(Class* user, Class* of) {
    const uint16_t index = AddEntry(user, 7, user->next_class);
    user->pool->resolved_classes->data[user->next_class++] = of;
    user->pool->resolved_classes->length = user->next_class;
    return index;
  }
  // As the VM does when it has resolved a call of that opcode: of a method, of one that is final,
  // or of a place in the vtable.
  void ResolveDirect(Class* caller, uint16_t index, uint8_t opcode, const Method* method) {
    OldEntry& old = caller->pool->cache->old_entries[index];
    old.indices |= uint64_t{opcode} << 16;
    old.f1 = method;
    NewEntry& entry = caller->pool->cache->entries->data[index];
    entry.first_opcode = opcode;
    entry.method = method;
  }
  void ResolveFinal(Class* caller, uint16_t index, const Method* method) {
    ResolveVirtual(caller, index, 0);
    caller->pool->cache->old_entries[index].flags = uint64_t{1} << kFinalShift;
    caller->pool->cache->old_entries[index].f2 = reinterpret_cast<uint64_t>(method);
    caller->pool->cache->entries->data[index].flags = 1;
    caller->pool->cache->entries->data[index].method = method;
  }
  void ResolveVirtual(Class* caller, uint16_t index, uint16_t vtable_index) {
    OldEntry& old = caller->pool->cache->old_entries[index];
    old.indices |= uint64_t{182} << 24;
    old.f2 = vtable_index;
    NewEntry& entry = caller->pool->cache->entries->data[index];
    entry.second_opcode = 182;
    entry.specific = vtable_index;
  }
  void ResolveInterface(Class* caller, uint16_t index, Class* interface, const Method* method) {
    OldEntry& old = caller->pool->cache->old_entries[index];
    old.indices |= uint64_t{185} << 16;
    old.f1 = interface;
    old.f2 = reinterpret_cast<uint64_t>(method);
    NewEntry& entry = caller->pool->cache->entries->data[index];
    entry.first_opcode = 185;
    entry.specific = reinterpret_cast<uint64_t>(interface);
    entry.method = method;
  }
  static void SetVtable(Class* klass, const std::vector<const Method*>& methods) {
    klass->vtable_length = static_cast<int32_t>(methods.size());
    for (size_t i = 0; i < methods.size(); ++i) {
      klass->tables[i] = reinterpret_cast<uint64_t>(methods[i]);
    }
  }
  // Of one interface, behind another that nobody calls. After the vtable.
  static void SetItable(Class* klass, const Class* other, const Class* interface,
                        const std::vector<const Method*>& methods) {
    uint64_t* words = &klass->tables[klass->vtable_length];
    const size_t first = offsetof(Class, tables) + static_cast<size_t>(klass->vtable_length) * 8;
    words[0] = reinterpret_cast<uint64_t>(other);
    words[1] = first + 6 * 8;
    words[2] = reinterpret_cast<uint64_t>(interface);
    words[3] = first + 7 * 8;
    for (size_t i = 0; i < methods.size(); ++i) {
      words[7 + i] = reinterpret_cast<uint64_t>(methods[i]);
    }
    klass->itable_length = static_cast<int32_t>(7 + methods.size());
  }

  LayoutTables tables;

 private:
  static constexpr int kFinalShift = 20, kForcedVirtualShift = 23;

  // What a class's instruction names by the constant pool's cache: its index there.
  uint16_t AddUse(Class* user, uint8_t tag, Class* of, const char* name, const char* descriptor) {
    const uint16_t class_index = AddClassConstant(user, of);
    const uint16_t name_index = AddText(user, name);
    const uint16_t type_index = AddText(user, descriptor);
    const uint16_t both = AddEntry(user, 12, uint64_t{type_index} << 16 | name_index);
    const uint16_t ref = AddEntry(user, tag, uint64_t{both} << 16 | class_index);
    Cache& cache = *user->pool->cache;
    const uint16_t index = user->next_call++;
    cache.length = cache.entries->length = user->next_call;
    cache.old_entries[index].indices = ref;
    cache.entries->data[index].pool_index = ref;
    return index;
  }
  uint16_t AddEntry(Class* klass, uint8_t tag, uint64_t entry) {
    klass->pool->tags->data[klass->next_entry] = tag;
    klass->pool->entries[klass->next_entry] = entry;
    return klass->next_entry++;
  }
  const Symbol* SymbolOf(const char* text) {
    auto [found, is_new] = symbols_.try_emplace(text);
    const std::string& key = found->first;
    found->second.length = static_cast<uint16_t>(key.size());
    std::copy_n(key.begin(), std::min(key.size(), sizeof(Symbol::body)), found->second.body);
    return &found->second;
  }
  uint16_t AddText(Class* klass, const char* text) {
    return AddEntry(klass, 1, reinterpret_cast<uint64_t>(SymbolOf(text)));
  }
  void AddTables() {
    tables.AddField("Method", "_constMethod", offsetof(Method, const_method));
    tables.AddField("Method", "_access_flags", offsetof(Method, access_flags));
    tables.AddField("Method", "_vtable_index", offsetof(Method, vtable_index));
    tables.AddField("Method", "_method_data", offsetof(Method, data));
    tables.AddField("Method", "_method_counters", offsetof(Method, counters));
    tables.AddField("MethodCounters", "_invocation_counter", offsetof(Counters, invocations));
    tables.AddField("MethodCounters", "_backedge_counter", offsetof(Counters, loops));
    tables.AddField("InvocationCounter", "_counter", 0);
    tables.AddField("ConstMethod", "_constants", offsetof(ConstMethod, constants));
    tables.AddField("ConstMethod", "_name_index", offsetof(ConstMethod, name_index));
    tables.AddField("ConstMethod", "_signature_index", offsetof(ConstMethod, signature_index));
    tables.AddField("ConstMethod", "_code_size", offsetof(ConstMethod, code_size));
    tables.AddType("ConstMethod", offsetof(ConstMethod, code));
    tables.AddField("ConstMethod", "_flags", offsetof(ConstMethod, flags));
    tables.AddField("ConstMethod", "_constMethod_size", offsetof(ConstMethod, words));
    if (jdk_ <= 11) {
      tables.AddField("InstanceKlass", "_source_file_name_index", offsetof(Class, source_file));
    } else {
      tables.AddField("ConstantPool", "_source_file_name_index", offsetof(Pool, source_file));
    }
    tables.AddField("ConstantPool", "_pool_holder", offsetof(Pool, holder));
    tables.AddField("ConstantPool", "_length", offsetof(Pool, length));
    tables.AddField("ConstantPool", "_cache", offsetof(Pool, cache));
    tables.AddField("ConstantPool", "_tags", offsetof(Pool, tags));
    tables.AddField("ConstantPool", "_resolved_klasses", offsetof(Pool, resolved_classes));
    tables.AddType("ConstantPool", offsetof(Pool, entries));
    tables.AddField("Klass", "_layout_helper", offsetof(Class, layout_helper));
    tables.AddField("Klass", "_super", offsetof(Class, super));
    tables.AddField("Klass", "_name", offsetof(Class, name));
    tables.AddField("Klass", "_class_loader_data", offsetof(Class, loader_data));
    tables.AddField("ClassLoaderData", "_class_loader", offsetof(LoaderData, loader));
    tables.AddStatic("ClassLoaderDataGraph", "_head", &first_loader_);
    tables.AddField("ClassLoaderData", "_next", offsetof(LoaderData, next));
    tables.AddField("ClassLoaderData", "_klasses", offsetof(LoaderData, classes));
    tables.AddField("Klass", "_next_link", offsetof(Class, next_link));
    tables.AddField("Klass", "_vtable_len", offsetof(Class, vtable_length));
    tables.AddField("InstanceKlass", "_itable_len", offsetof(Class, itable_length));
    tables.AddField("InstanceKlass", "_methods", offsetof(Class, methods));
    tables.AddField("InstanceKlass", "_transitive_interfaces", offsetof(Class, interfaces));
    tables.AddField("InstanceKlass", "_init_state", offsetof(Class, init_state));
    tables.AddType("InstanceKlass", offsetof(Class, tables));
    tables.AddConstant("InstanceKlass::linked", 2);
    tables.AddField("Symbol", "_length", offsetof(Symbol, length));
    tables.AddField("Symbol", "_body", offsetof(Symbol, body));
    tables.AddField("Array<int>", "_length", 0);
    tables.AddField("Array<Method*>", "_data", offsetof(Array<Method*>, data));
    tables.AddField("Array<u1>", "_data", offsetof(Array<uint8_t>, data));
    if (jdk_ <= 21) {  // Of old entries.
      tables.AddField("ConstantPoolCache", "_length", offsetof(Cache, length));
      tables.AddType("ConstantPoolCache", offsetof(Cache, old_entries));
      tables.AddType("ConstantPoolCacheEntry", sizeof(OldEntry));
      tables.AddField("ConstantPoolCacheEntry", "_indices", offsetof(OldEntry, indices));
      tables.AddField("ConstantPoolCacheEntry", "_f1", offsetof(OldEntry, f1));
      tables.AddField("ConstantPoolCacheEntry", "_f2", offsetof(OldEntry, f2));
      tables.AddField("ConstantPoolCacheEntry", "_flags", offsetof(OldEntry, flags));
      tables.AddConstant("ConstantPoolCacheEntry::is_vfinal_shift", kFinalShift);
      tables.AddConstant("ConstantPoolCacheEntry::is_forced_virtual_shift", kForcedVirtualShift);
    } else {
      tables.AddField("ConstantPoolCache", "_resolved_method_entries", offsetof(Cache, entries));
      tables.AddField("Array<ResolvedMethodEntry>", "_data", offsetof(Array<NewEntry>, data));
      tables.AddField("ResolvedMethodEntry", "_cpool_index", offsetof(NewEntry, pool_index));
      tables.AddType("ResolvedMethodEntry", sizeof(NewEntry));
    }
  }

  const int jdk_;
  const LoaderData* first_loader_ = nullptr;
  std::deque<Counters> counters_;
  std::map<std::string, Symbol> symbols_;
  std::deque<Class> classes_;
  std::deque<Pool> pools_;
  std::deque<Cache> caches_;
  std::deque<Method> methods_;
  std::deque<ConstMethod> const_methods_;
  std::deque<Array<Method*>> method_arrays_;
  std::deque<Array<Class*>> class_arrays_;
  std::deque<Array<uint8_t>> tags_;
  std::deque<Array<NewEntry>> entries_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CLASSES_FOR_TEST_H_
