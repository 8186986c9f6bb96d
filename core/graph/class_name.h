#ifndef YP_CORE_GRAPH_CLASS_NAME_H_
#define YP_CORE_GRAPH_CLASS_NAME_H_

#include <string>
#include <string_view>

namespace yp {

// The name under which a class is reported (Method::class_name), from any of the forms in which a
// VM writes it: "app/Main", "app.Main". What differs from run to run is left out: a hidden class's
// address, with what stands behind it ("Main$$Lambda+0x00007f0c2c000a08/1624820151", "/0x...",
// ".0x..."), the number of a lambda's proxy, of a dynamic proxy and of its package (the JDK
// numbers them in the order in which they are made), of a generated accessor, and what Byte Buddy,
// Mockito and Hibernate put behind the names of classes that they make.
std::string ReportedClassName(std::string_view name);

}  // namespace yp

#endif  // YP_CORE_GRAPH_CLASS_NAME_H_
