// Reads a pprof and a speedscope export with readers that are not ours and checks what a schema
// cannot say. Usage: node read_exports.mjs FILE.pb.gz FILE.speedscope.json
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

import Ajv from 'ajv';
import { Profile } from 'pprof-format';

const [pprofPath, speedscopePath] = process.argv.slice(2);

function readPprof(path) {
  const profile = Profile.decode(gunzipSync(readFileSync(path)));
  const text = (index) => profile.stringTable.strings[Number(index)];
  assert.equal(text(0), '');
  assert.deepEqual(
    profile.sampleType.map((t) => [text(t.type), text(t.unit)]),
    [['calls', 'count']],
  );
  const functions = new Map(profile.function.map((f) => [String(f.id), f]));
  const locations = new Map(profile.location.map((l) => [String(l.id), l]));
  const edges = profile.sample.map((sample) => {
    const [callee, caller] = sample.locationId.map((id) => {
      const [line] = locations.get(String(id)).line;
      const { name, filename } = functions.get(String(line.functionId));
      return { name: text(name), file: text(filename), line: Number(line.line) };
    });
    const labels = Object.fromEntries(sample.label.map((l) => [text(l.key), Number(l.num)]));
    return { callee, caller, bci: labels.bci, calls: Number(sample.value[0]) };
  });
  assert.deepEqual(edges[0], {
    callee: { name: 'com.example.Größe$Inner.<init>(I)V', file: 'com/example/Größe.java', line: 7 },
    caller: {
      name: 'com.example.App.main([Ljava/lang/String;)V',
      file: 'com/example/App.java',
      line: 11,
    },
    bci: 5,
    calls: 601,
  });
  const calls = edges.reduce((sum, edge) => sum + edge.calls, 0);
  console.log(`pprof: ${edges.length} samples, ${calls} calls`);
}

function readSpeedscope(path) {
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const schema = createRequire(import.meta.url).resolve(
    'speedscope/dist/release/file-format-schema.json',
  );
  const ajv = new Ajv({ strict: false });
  const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
  assert.ok(validate(file), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...file, shared: {} }), 'the schema must be able to refuse');
  const [profile] = file.profiles;
  assert.equal(profile.samples.length, profile.weights.length);
  for (const frame of profile.samples.flat()) assert.ok(frame < file.shared.frames.length);
  const [caller, callee] = profile.samples[0].map((frame) => file.shared.frames[frame]);
  assert.equal(caller.name, 'com.example.App.main([Ljava/lang/String;)V');
  assert.equal(callee.file, 'com/example/Größe.java');
  const calls = profile.weights.reduce((sum, weight) => sum + weight, 0);
  assert.equal(calls, profile.endValue - profile.startValue);
  console.log(`speedscope: ${profile.samples.length} stacks, ${calls} calls`);
}

readPprof(pprofPath);
readSpeedscope(speedscopePath);
