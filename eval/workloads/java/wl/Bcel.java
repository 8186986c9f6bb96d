package wl;

import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.bcel.classfile.ClassParser;
import org.apache.bcel.classfile.Method;
import org.apache.bcel.generic.BranchInstruction;
import org.apache.bcel.generic.ClassGen;
import org.apache.bcel.generic.ConstantPoolGen;
import org.apache.bcel.generic.EmptyVisitor;
import org.apache.bcel.generic.FieldInstruction;
import org.apache.bcel.generic.Instruction;
import org.apache.bcel.generic.InstructionConst;
import org.apache.bcel.generic.InstructionHandle;
import org.apache.bcel.generic.InstructionList;
import org.apache.bcel.generic.InvokeInstruction;
import org.apache.bcel.generic.LocalVariableInstruction;
import org.apache.bcel.generic.MethodGen;

/**
 * BCEL disassembles every method of a jar, inserts an instruction and takes it out again, computes
 * the stack and locals anew and writes the classes (as DaCapo's bloat does).
 */
public final class Bcel implements Workload {
  private static final String JAR = "/usr/share/java/lucene-core-4.10.4.jar";

  @Override
  public long run() throws Exception {
    long checksum = 0;
    try (JarFile jar = new JarFile(JAR)) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          ClassParser parser = new ClassParser(jar.getInputStream(entry), entry.getName());
          checksum = rewrite(new ClassGen(parser.parse()), checksum);
        }
      }
    }
    return checksum;
  }

  private static long rewrite(ClassGen classGen, long checksum) {
    ConstantPoolGen constants = classGen.getConstantPool();
    for (Method method : classGen.getMethods()) {
      MethodGen methodGen = new MethodGen(method, classGen.getClassName(), constants);
      InstructionList instructions = methodGen.getInstructionList();
      if (instructions == null) {
        continue;
      }
      Census census = new Census();
      for (InstructionHandle handle = instructions.getStart();
          handle != null;
          handle = handle.getNext()) {
        Instruction instruction = handle.getInstruction();
        handle.accept(census);
        census.sum += instruction.consumeStack(constants) * 3 + instruction.produceStack(constants);
      }
      instructions.insert(InstructionConst.NOP);
      methodGen.setMaxStack();
      methodGen.setMaxLocals();
      methodGen.removeNOPs();
      String code = methodGen.getMethod().getCode().toString(false);
      checksum =
          Checksums.mix(
              checksum, census.sum + Checksums.crc(code.replaceAll("[-0-9.E]+", "#")));
      classGen.replaceMethod(method, methodGen.getMethod());
      instructions.dispose();
    }
    return Checksums.mix(checksum, Checksums.crc(classGen.getJavaClass().getBytes()));
  }

  /** Weighs instructions by their kind. */
  private static final class Census extends EmptyVisitor {
    long sum;

    @Override
    public void visitInvokeInstruction(InvokeInstruction instruction) {
      sum += 5;
    }

    @Override
    public void visitBranchInstruction(BranchInstruction instruction) {
      sum += 7;
    }

    @Override
    public void visitFieldInstruction(FieldInstruction instruction) {
      sum += 11;
    }

    @Override
    public void visitLocalVariableInstruction(LocalVariableInstruction instruction) {
      sum += 13 + instruction.getIndex();
    }
  }
}
