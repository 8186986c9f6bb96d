import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.LongUnaryOperator;

/** Runs two classes of one name, by loaders "first" and "second": TwoLoaders ROUNDS. */
public class TwoLoaders {
    public static class Work implements LongUnaryOperator {
        @Override
        public long applyAsLong(long value) {
            long sum = value;
            for (int i = 0; i < 100; i++) {
                sum = sum * 31 + i;
            }
            return sum;
        }
    }

    private static LongUnaryOperator load(String loader) throws Exception {
        URL[] urls = {new File(System.getProperty("java.class.path")).toURI().toURL()};
        return (LongUnaryOperator)
            new URLClassLoader(loader, urls, ClassLoader.getPlatformClassLoader())
                .loadClass("TwoLoaders$Work").getDeclaredConstructor().newInstance();
    }

    public static void main(String[] arguments) throws Exception {
        LongUnaryOperator first = load("first");
        LongUnaryOperator second = load("second");
        int rounds = Integer.parseInt(arguments[0]);
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum = first.applyAsLong(sum);
        }
        for (int i = 0; i < rounds; i++) {
            sum = second.applyAsLong(sum);
        }
        System.out.println(sum);
    }
}
