package wl;

import freemarker.template.Configuration;
import freemarker.template.Template;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** FreeMarker interprets a template with functions, macros, loops and string operations. */
public final class Freemarker implements Workload {
  private static final int ITEMS = 4000;
  private static final int PAGES = 12;
  private static final String TEMPLATE =
      "<#function f n><#if n lt 2><#return n></#if><#return f(n-1)+f(n-2)></#function>"
          + "<#macro row i><tr><td>${i.name?upper_case?html}</td>"
          + "<td>${i.price?string('0.00')}</td><td><#list i.tags as t>${t_index}:${t?cap_first}"
          + "<#if t_has_next>,</#if></#list></td></tr></#macro>${f(17)}"
          + "<#list items?sort_by('name') as i><#if i.price gt 50 && i.name?contains('a')>"
          + "<@row i/><#elseif i.tags?size == 2>${i.name?replace('a','b')[0..3]}<#else>"
          + "<#switch i.tags?first><#case 'pi'>P<#break><#default>${i?index % 7}</#switch>"
          + "</#if></#list>";

  @Override
  public long run() throws Exception {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_31);
    configuration.setLocale(Locale.US);
    Template template = new Template("t", new StringReader(TEMPLATE), configuration);
    List<Map<String, Object>> items = items();
    long checksum = 0;
    for (int i = 0; i < PAGES; i++) {
      StringWriter page = new StringWriter();
      template.process(Map.of("items", items), page);
      checksum = Checksums.mix(checksum, Checksums.crc(page.toString()));
    }
    return checksum;
  }

  private static List<Map<String, Object>> items() {
    Random random = new Random(3);
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      Map<String, Object> item = new HashMap<>();
      item.put("name", Documents.words(random, 3));
      item.put("price", random.nextInt(1000) / 10.0);
      String tags = Documents.words(random, 1 + random.nextInt(3));
      item.put("tags", Arrays.asList(tags.split(" ")));
      items.add(item);
    }
    return items;
  }
}
