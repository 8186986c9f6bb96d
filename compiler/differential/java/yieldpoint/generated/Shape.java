package yieldpoint.generated;

/** An interface with three implementations. */
public interface Shape {
  int area(int side);
}
