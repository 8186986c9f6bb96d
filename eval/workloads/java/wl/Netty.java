package wl;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import io.netty.util.CharsetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Netty on a loopback port of its own choice: event loops of a store that speaks Redis's protocol,
 * and of six clients that each have several commands on their way.
 */
public final class Netty implements Workload {
  private static final int LOOPS = 2;
  private static final int CLIENTS = 6;
  private static final int COMMANDS = 9000; // of each client
  private static final int ON_THEIR_WAY = 32;
  private static final int KEYS = 200;

  private final EventLoopGroup clients = new NioEventLoopGroup(LOOPS);
  private InetSocketAddress store;

  @Override
  public void setup(Path data) throws Exception {
    Channel listening =
        new ServerBootstrap()
            .group(new NioEventLoopGroup(1), new NioEventLoopGroup(LOOPS))
            .channel(NioServerSocketChannel.class)
            .childHandler(pipeline(Store::new))
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    store = (InetSocketAddress) listening.localAddress();
  }

  @Override
  public long run() throws Exception {
    List<Client> running = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(new Random(i));
      new Bootstrap()
          .group(clients)
          .channel(NioSocketChannel.class)
          .handler(pipeline(() -> client))
          .connect(store)
          .sync();
      running.add(client);
    }
    long checksum = 0;
    for (Client client : running) {
      checksum = Checksums.mix(checksum, client.replies.get());
    }
    return checksum;
  }

  private interface Handlers {
    ChannelHandler handler();
  }

  private static ChannelInitializer<SocketChannel> pipeline(Handlers last) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        channel
            .pipeline()
            .addLast(new RedisDecoder())
            .addLast(new RedisBulkStringAggregator())
            .addLast(new RedisArrayAggregator())
            .addLast(new RedisEncoder())
            .addLast(last.handler());
      }
    };
  }

  private static FullBulkStringRedisMessage bulk(ChannelHandlerContext context, String text) {
    return new FullBulkStringRedisMessage(ByteBufUtil.writeUtf8(context.alloc(), text));
  }

  private static String text(RedisMessage message) {
    ByteBuf content = ((FullBulkStringRedisMessage) message).content();
    return content.toString(CharsetUtil.UTF_8);
  }

  /** Answers one connection, of whose keys no other knows: replies do not depend on others. */
  private static final class Store extends SimpleChannelInboundHandler<ArrayRedisMessage> {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, List<String>> lists = new HashMap<>();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ArrayRedisMessage message) {
      List<String> words = new ArrayList<>();
      for (RedisMessage word : message.children()) {
        words.add(text(word));
      }
      context.write(reply(context, words));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      cause.printStackTrace();
      context.close();
    }

    private RedisMessage reply(ChannelHandlerContext context, List<String> words) {
      String key = words.get(1);
      switch (words.get(0)) {
        case "SET":
          values.put(key, words.get(2));
          return new SimpleStringRedisMessage("OK");
        case "GET":
          String value = values.get(key);
          return value == null
              ? FullBulkStringRedisMessage.NULL_INSTANCE
              : bulk(context, value);
        case "INCR":
          long count = Long.parseLong(values.getOrDefault("n" + key, "0")) + 1;
          values.put("n" + key, Long.toString(count));
          return new IntegerRedisMessage(count);
        case "RPUSH":
          List<String> list = lists.computeIfAbsent(key, ignored -> new ArrayList<>());
          list.add(words.get(2));
          return new IntegerRedisMessage(list.size());
        case "LRANGE":
          List<String> all = lists.getOrDefault(key, Collections.emptyList());
          List<RedisMessage> last = new ArrayList<>();
          for (String element : all.subList(Math.max(0, all.size() - 10), all.size())) {
            last.add(bulk(context, element));
          }
          return new ArrayRedisMessage(last);
        default:
          return new ErrorRedisMessage("ERR unknown command");
      }
    }
  }

  /** Sends a command for each reply, and closes the connection after the last. */
  private static final class Client extends SimpleChannelInboundHandler<RedisMessage> {
    final CompletableFuture<Long> replies = new CompletableFuture<>();
    private final Random random;
    private long checksum;
    private int sent;
    private int received;

    Client(Random random) {
      this.random = random;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      while (sent < ON_THEIR_WAY) {
        send(context);
      }
      context.flush();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, RedisMessage reply) {
      checksum = Checksums.mix(checksum, checksumOf(reply));
      received++;
      if (sent < COMMANDS) {
        send(context);
      } else if (received == COMMANDS) {
        replies.complete(checksum);
        context.close();
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      replies.completeExceptionally(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      replies.completeExceptionally(new IOException("closed early")); // No matter after the last.
    }

    private void send(ChannelHandlerContext context) {
      String key = "key" + random.nextInt(KEYS);
      sent++;
      switch (random.nextInt(5)) {
        case 0:
          write(context, "SET", key, Documents.words(random, 1 + random.nextInt(12)));
          break;
        case 1:
          write(context, "INCR", key);
          break;
        case 2:
          write(context, "RPUSH", key, Documents.words(random, 1));
          break;
        case 3:
          write(context, "LRANGE", key, "-10", "-1");
          break;
        default:
          write(context, "GET", key);
      }
    }

    private static void write(ChannelHandlerContext context, String... words) {
      List<RedisMessage> message = new ArrayList<>();
      for (String word : words) {
        message.add(bulk(context, word));
      }
      context.write(new ArrayRedisMessage(message));
    }

    private static long checksumOf(RedisMessage reply) {
      if (reply instanceof ArrayRedisMessage) {
        return checksumOf(((ArrayRedisMessage) reply).children());
      } else if (reply instanceof IntegerRedisMessage) {
        return ((IntegerRedisMessage) reply).value();
      } else if (reply instanceof FullBulkStringRedisMessage) {
        return Checksums.crc(text(reply));
      }
      return Checksums.crc(((SimpleStringRedisMessage) reply).content());
    }

    private static long checksumOf(Collection<RedisMessage> replies) {
      long checksum = replies.size();
      for (RedisMessage reply : replies) {
        checksum = Checksums.mix(checksum, checksumOf(reply));
      }
      return checksum;
    }
  }
}
