package programs;

import java.security.Permission;

/** A security manager that the VM asks of every class that is linked to, and that allows all. */
public final class Managed extends SecurityManager {
  private int asked;

  private int count() {
    return ++asked;
  }

  @Override
  public void checkPermission(Permission permission) {
    count();
  }

  @Override
  public void checkPackageAccess(String name) {
    count();
  }

  static int leaf(int x) {
    return x * 3 + 1;
  }

  public static void main(String[] args) {
    int sum = 0;
    for (int i = 0; i < 100000; i++) {
      sum += leaf(i);
    }
    System.out.println(sum + " " + (System.getSecurityManager() instanceof Managed));
  }
}
