package wl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Jackson binds JSON to objects and to trees, and writes both. */
public final class Jackson implements Workload {
  private static final int ITEMS = 3000;
  private static final int ROUNDS = 12;
  private final String json = Documents.json(ITEMS);

  /** A place of an {@link Item}. */
  public static final class Position {
    public int x;
    public int y;
  }

  /** What the JSON has an array of: public fields, and a property with accessors. */
  public static final class Item {
    public int id;
    public double score;
    public boolean ok;
    public List<String> tags;
    public Position pos;
    public Map<String, Integer> kids;
    private String name;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  @Override
  public long run() throws Exception {
    long checksum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      ObjectMapper mapper =
          JsonMapper.builder()
              .configure(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, true)
              .build();
      checksum = trees(mapper, objects(mapper, checksum));
    }
    return checksum;
  }

  private long objects(ObjectMapper mapper, long checksum) throws Exception {
    Item[] items = mapper.readValue(json, Item[].class);
    for (Item item : items) {
      checksum +=
          item.getName().length() + item.pos.x + item.tags.hashCode() + item.kids.size();
    }
    return Checksums.mix(checksum, Checksums.crc(mapper.writeValueAsBytes(items)));
  }

  private long trees(ObjectMapper mapper, long checksum) throws Exception {
    JsonNode root = mapper.readTree(json);
    int sum = 0;
    for (JsonNode item : root) {
      ((ObjectNode) item).put("z", item.path("pos").path("x").asInt() * 2);
      sum += item.findValuesAsText("x").size() + item.at("/tags/1").asText().length();
    }
    String text = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    return Checksums.mix(checksum, sum + Checksums.crc(text));
  }
}
