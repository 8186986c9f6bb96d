package wl;

import java.nio.file.Path;
import org.python.core.PyCode;
import org.python.util.PythonInterpreter;

/** Jython runs an object-oriented Python script, bench.py. */
public final class Jython implements Workload {
  private PythonInterpreter interpreter;
  private PyCode script;

  @Override
  public void setup(Path data) throws Exception {
    System.setProperty("python.cachedir.skip", "true");
    System.setProperty("python.console.encoding", "UTF-8");
    interpreter = new PythonInterpreter();
    script = interpreter.compile(Trees.read(data.resolve("bench.py")));
  }

  @Override
  public long run() {
    interpreter.exec(script);
    return Checksums.crc(interpreter.get("result").toString());
  }
}
