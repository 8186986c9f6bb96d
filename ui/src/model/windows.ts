import type { ProfileData, WindowColumns } from "../data/page_data";

// Windows of one thread, or of all, as points in time.
export interface WindowPoint { ns: number; density: number; latencyNs: number; calls: number; samples: number }

// `thread` undefined: of all. Densities are calls per microsecond; NaN where it is not known.
export function pointsOf(windows: WindowColumns, thread: number | undefined): WindowPoint[] {
  const points: WindowPoint[] = [];
  for (let i = 0; i < windows.tick.length; i++) {
    if (thread !== undefined && windows.thread[i] !== thread) continue;
    const duration = windows.duration_ns[i]!;
    points.push({
      ns: windows.start_ns[i]!, latencyNs: windows.latency_ns[i]! < 0 ? NaN : windows.latency_ns[i]!,
      density: duration > 0 ? windows.calls[i]! / (duration / 1000) : NaN,
      calls: windows.calls[i]!, samples: windows.samples[i]!,
    });
  }
  return points.sort((a, b) => a.ns - b.ns);
}

export interface Bin { fromNs: number; toNs: number; low: number; median: number; high: number; windows: number }

// At most `bins` equal parts of the run, with the least, the median and the largest of a value of
// the windows that began in each; parts without one are left out.
export function binned(points: readonly WindowPoint[], value: (point: WindowPoint) => number, endNs: number,
                       bins: number): Bin[] {
  const width = endNs / bins;
  const values: number[][] = Array.from({ length: bins }, () => []);
  for (const point of points) {
    const v = value(point);
    if (Number.isNaN(v) || !(width > 0)) continue;
    values[Math.max(0, Math.min(bins - 1, Math.floor(point.ns / width)))]!.push(v);
  }
  return values.flatMap((inside, i) => {
    if (inside.length === 0) return [];
    inside.sort((a, b) => a - b);
    return [{
      fromNs: i * width, toNs: (i + 1) * width, windows: inside.length,
      low: inside[0]!, median: inside[Math.floor(inside.length / 2)]!, high: inside[inside.length - 1]!,
    }];
  });
}

// Threads that have windows, those with most calls, or else samples, first. Of one name there may be several: they
// have their number behind it.
export interface ThreadRow { id: number; name: string; windows: number; calls: number; samples: number }

export function threadsOf(profile: ProfileData): ThreadRow[] {
  const names = new Map(profile.threads.id.map((id, i) => [id, profile.threads.name[i]!]));
  const rows = new Map<number, ThreadRow>();
  const { windows } = profile;
  windows.thread.forEach((id, i) => {
    let row = rows.get(id);
    if (!row) rows.set(id, row = { id, name: names.get(id) || `thread ${id}`, windows: 0, calls: 0, samples: 0 });
    row.windows++;
    row.calls += windows.calls[i]!;
    row.samples += windows.samples[i]!;
  });
  const namesakes = new Map<string, number>();
  for (const { name } of rows.values()) namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
  return [...rows.values()]
    .map((row) => namesakes.get(row.name)! > 1 ? { ...row, name: `${row.name} (${row.id})` } : row)
    .sort((a, b) => b.calls - a.calls || b.samples - a.samples);
}
