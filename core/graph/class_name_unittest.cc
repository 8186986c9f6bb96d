#include "core/graph/class_name.h"

#include <gtest/gtest.h>

#include <utility>

namespace yp {
namespace {

TEST(ReportedClassNameTest, IsTheProgramsOwnNameWithDots) {
  const std::pair<const char*, const char*> names[] = {
      {"app/Main", "app.Main"},
      {"java.util.Map$Entry", "java.util.Map$Entry"},
      {"Main$Inner$1", "Main$Inner$1"},
      {"app/Main$0x", "app.Main$0x"},
      {"a.Color0xff", "a.Color0xff"},
      {"a/0xff", "a.0xff"},
      {"", ""},
      {"app/My$Proxy3", "app.My$Proxy3"},
      {"jdk/proxyish1/X2", "jdk.proxyish1.X2"},
      {"/1", ".1"},
  };
  for (const auto& [name, reported] : names) EXPECT_EQ(ReportedClassName(name), reported);
}

TEST(ReportedClassNameTest, LeavesOutWhatDiffersFromRunToRun) {
  const std::pair<const char*, const char*> names[] = {
      // JFR, JDK 17 and 25.
      {"Tiny$$Lambda$104+0x00007fe68c007400/1624820151", "Tiny$$Lambda"},
      {"Tiny$$Lambda/0x000000005a046000", "Tiny$$Lambda"},
      {"java/lang/invoke/LambdaForm$MH+0x00007fe68c000400", "java.lang.invoke.LambdaForm$MH"},
      {"java/lang/invoke/LambdaForm$DMH/1234567", "java.lang.invoke.LambdaForm$DMH"},
      // Compilation logs.
      {"a.B$$Lambda$14/0x000000080100", "a.B$$Lambda"},
      {"java.lang.invoke.LambdaForm$MH.0x00007fa350001400", "java.lang.invoke.LambdaForm$MH"},
      {"jdk.internal.reflect.GeneratedMethodAccessor12",
       "jdk.internal.reflect.GeneratedMethodAccessor"},
      {"com/sun/proxy/$Proxy14", "com.sun.proxy.$Proxy"},
      {"jdk/proxy2/$Proxy3", "jdk.proxy.$Proxy"},
      {"jdk.proxy1.$Proxy0", "jdk.proxy.$Proxy"},
      {"$Proxy7", "$Proxy"},
      // The VM's own structures.
      {"app/Hidden+0x00007f0c2c000a08", "app.Hidden"},
      {"jdk/internal/reflect/GeneratedConstructorAccessor2",
       "jdk.internal.reflect.GeneratedConstructorAccessor"},
      // Libraries that make classes.
      {"app.Order$HibernateProxy$x3FqW9pL", "app.Order$HibernateProxy"},
      {"app.Order$MockitoMock$1283912", "app.Order$MockitoMock"},
      {"app/Order$ByteBuddy$aB3dE5fG", "app.Order$ByteBuddy"},
      {"app.Order$MockitoMock$12$auxiliary$aB3dE5fG", "app.Order$MockitoMock$auxiliary"},
  };
  for (const auto& [name, reported] : names) EXPECT_EQ(ReportedClassName(name), reported);
}

}  // namespace
}  // namespace yp
