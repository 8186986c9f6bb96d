package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** For JUnit 4. */
public class OldCartTest {
  @Test
  public void adds() {
    Cart cart = new Cart();
    cart.add(1);
    assertEquals(1, cart.items());
  }

  @Test
  public void clears() {
    new Cart().clear();
  }
}
