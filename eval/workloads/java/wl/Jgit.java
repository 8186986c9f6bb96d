package wl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.eclipse.jgit.blame.BlameGenerator;
import org.eclipse.jgit.blame.BlameResult;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.internal.storage.dfs.DfsGarbageCollector;
import org.eclipse.jgit.internal.storage.dfs.DfsRepositoryDescription;
import org.eclipse.jgit.internal.storage.dfs.InMemoryRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.merge.MergeStrategy;
import org.eclipse.jgit.merge.ThreeWayMerger;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevSort;
import org.eclipse.jgit.revwalk.RevWalk;

/**
 * JGit on a repository in memory: two branches of generated changes that are merged now and then,
 * packed by deltas, and read again as log, patches and blame.
 */
public final class Jgit implements Workload {
  private static final int FILES = 24;
  private static final int LINES = 150;
  private static final int COMMITS = 120;
  private static final int COMMITS_TO_MERGE = 10;
  private static final int BLAMED = 12;
  private static final long FIRST_COMMIT = 1_600_000_000_000L;

  @Override
  public long run() throws Exception {
    try (InMemoryRepository repository =
        new InMemoryRepository(new DfsRepositoryDescription("history"))) {
      ObjectId head = new History(repository).write();
      point(repository, head);
      DfsGarbageCollector packer = new DfsGarbageCollector(repository);
      packer.getPackConfig().setThreads(1);
      packer.pack(null);
      long checksum = Checksums.crc(head.name());
      checksum = Checksums.mix(checksum, patches(repository, head));
      for (int file = 0; file < BLAMED; file++) {
        checksum = Checksums.mix(checksum, blame(repository, head, path(file)));
      }
      return checksum;
    }
  }

  private static String path(int file) {
    return "src/part" + file % 4 + "/file" + file + ".txt";
  }

  private static void point(InMemoryRepository repository, ObjectId head) throws IOException {
    RefUpdate update = repository.updateRef("refs/heads/master");
    update.setNewObjectId(head);
    update.update();
  }

  /** Of every commit to its first parent. */
  private static long patches(InMemoryRepository repository, ObjectId head) throws IOException {
    Checksums.Sink out = new Checksums.Sink();
    try (RevWalk walk = new RevWalk(repository);
        DiffFormatter formatter = new DiffFormatter(out)) {
      formatter.setRepository(repository);
      formatter.setDetectRenames(true);
      walk.sort(RevSort.TOPO);
      walk.markStart(walk.parseCommit(head));
      for (RevCommit commit : walk) {
        if (commit.getParentCount() > 0) {
          formatter.format(commit.getParent(0), commit);
        }
      }
    }
    return out.value();
  }

  private static long blame(InMemoryRepository repository, ObjectId head, String path)
      throws IOException {
    try (BlameGenerator generator = new BlameGenerator(repository, path)) {
      generator.push(null, head);
      BlameResult result = generator.computeBlameResult();
      long checksum = 0;
      for (int line = 0; line < result.getResultContents().size(); line++) {
        checksum = Checksums.mix(checksum, result.getSourceCommit(line).getCommitTime());
      }
      return checksum;
    }
  }

  /** Writes the commits. */
  private static final class History {
    private final InMemoryRepository repository;
    private final Random random = new Random(7);
    private int commits;

    History(InMemoryRepository repository) {
      this.repository = repository;
    }

    /** The last commit of the first branch, after both have been merged. */
    ObjectId write() throws IOException {
      List<List<String>> files = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        List<String> lines = new ArrayList<>();
        for (int line = 0; line < LINES; line++) {
          lines.add(Documents.words(random, 3 + random.nextInt(6)));
        }
        files.add(lines);
      }
      ObjectId main = commit(tree(files), Collections.emptyList());
      while (commits < COMMITS) {
        ObjectId base = main;
        List<List<String>> other = copy(files);
        ObjectId side = base;
        for (int i = 0; i < COMMITS_TO_MERGE; i++) {
          // Each branch has files of its own, so that no merge has conflicts.
          edit(files, 0);
          main = commit(tree(files), List.of(main));
          edit(other, 1);
          side = commit(tree(other), List.of(side));
        }
        main = merge(main, side);
        for (int i = 1; i < FILES; i += 2) {
          files.set(i, other.get(i));
        }
      }
      return main;
    }

    private static List<List<String>> copy(List<List<String>> files) {
      List<List<String>> copy = new ArrayList<>();
      for (List<String> lines : files) {
        copy.add(new ArrayList<>(lines));
      }
      return copy;
    }

    /** Changes some lines of some of the files with even or odd numbers. */
    private void edit(List<List<String>> files, int odd) {
      for (int i = 0; i < 3; i++) {
        List<String> lines = files.get(odd + 2 * random.nextInt(FILES / 2));
        int at = random.nextInt(lines.size());
        switch (random.nextInt(3)) {
          case 0:
            lines.remove(at);
            break;
          case 1:
            lines.add(at, Documents.words(random, 4));
            break;
          default:
            Collections.swap(lines, at, random.nextInt(lines.size()));
        }
      }
    }

    private ObjectId tree(List<List<String>> files) throws IOException {
      try (ObjectInserter inserter = repository.newObjectInserter()) {
        DirCache index = DirCache.newInCore();
        DirCacheBuilder builder = index.builder();
        for (int i = 0; i < FILES; i++) {
          byte[] text = String.join("\n", files.get(i)).getBytes(StandardCharsets.UTF_8);
          DirCacheEntry entry = new DirCacheEntry(path(i));
          entry.setFileMode(FileMode.REGULAR_FILE);
          entry.setObjectId(inserter.insert(Constants.OBJ_BLOB, text));
          builder.add(entry);
        }
        builder.finish();
        ObjectId tree = index.writeTree(inserter);
        inserter.flush();
        return tree;
      }
    }

    private ObjectId commit(ObjectId tree, List<ObjectId> parents) throws IOException {
      PersonIdent who =
          new PersonIdent(
              "Somebody", "somebody@example.org", FIRST_COMMIT + 60_000L * commits, 0);
      CommitBuilder commit = new CommitBuilder();
      commit.setTreeId(tree);
      commit.setParentIds(parents);
      commit.setAuthor(who);
      commit.setCommitter(who);
      commit.setMessage("Change " + commits + "\n\n" + Documents.words(random, 12));
      commits++;
      try (ObjectInserter inserter = repository.newObjectInserter()) {
        ObjectId id = inserter.insert(commit);
        inserter.flush();
        return id;
      }
    }

    private ObjectId merge(ObjectId ours, ObjectId theirs) throws IOException {
      ThreeWayMerger merger = MergeStrategy.RECURSIVE.newMerger(repository, true);
      if (!merger.merge(ours, theirs)) {
        throw new IllegalStateException("conflict");
      }
      return commit(merger.getResultTreeId(), List.of(ours, theirs));
    }
  }
}
