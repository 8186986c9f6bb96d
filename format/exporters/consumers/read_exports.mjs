// Reads a pprof and a speedscope export with readers that are not ours and checks what a schema
// cannot say. Usage: node read_exports.mjs FILE.pb.gz FILE.speedscope.json
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
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
    callee: { name: 'com.example.Größe$Inner.<init>(int)', file: 'com/example/Größe.java', line: 7 },
    caller: {
      name: 'com.example.App.main(String[])',
      file: 'com/example/App.java',
      line: 11,
    },
    bci: 5,
    calls: 601,
  });
  const calls = edges.reduce((sum, edge) => sum + edge.calls, 0);
  console.log(`pprof: ${edges.length} samples, ${calls} calls`);
}

const schemaPath = createRequire(import.meta.url).resolve(
  'speedscope/dist/release/file-format-schema.json',
);

// speedscope ships as one script for browsers. Its importer for its own format needs none: this takes
// the function that the script calls after saying "Importing as speedscope json file".
function speedscopeImporter() {
  const directory = dirname(schemaPath);
  const script = readdirSync(directory).find((name) => /^speedscope-.*\.js$/.test(name));
  const source = readFileSync(join(directory, script), 'utf8');
  const [, importer] = source.match(/Importing as speedscope json file"\),([\w$]+)\(/);
  const browser = new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : browser),
    apply: () => browser,
    construct: () => browser,
    set: () => true,
    has: () => true,
  });
  const names = ['document', 'localStorage', 'location', 'navigator', 'performance', 'self', 'window'];
  const context = vm.createContext({
    ...Object.fromEntries(names.map((name) => [name, browser])),
    ...{ TextDecoder, TextEncoder, URL, setTimeout, requestAnimationFrame() {} },
    console: { log() {} },
  });
  const start = '"use strict";(()=>{';
  assert.ok(source.startsWith(start));
  const hook = `globalThis.importSpeedscope = (file) => ${importer}(file);`;
  try {
    vm.runInContext(start + hook + source.slice(start.length), context);
  } catch {
    // It fails at drawing, its last step, for want of a real browser.
  }
  return context.importSpeedscope;
}

function readSpeedscope(path) {
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(schemaPath, 'utf8')));
  assert.ok(validate(file), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...file, shared: {} }), 'the schema must be able to refuse');

  const [profile] = speedscopeImporter()(file).profiles;
  const frames = new Map();
  profile.forEachFrame((frame) => frames.set(frame.name, frame));
  const callee = frames.get('com.example.Größe$Inner.<init>(int)');
  assert.equal(callee.file, 'com/example/Größe.java');
  assert.equal(callee.getSelfWeight(), 801);
  assert.equal(callee.getTotalWeight(), 951);
  console.log(`speedscope: ${frames.size} frames, ${profile.getTotalWeight()} calls`);
}

try {
  readPprof(pprofPath);
  readSpeedscope(speedscopePath);
} catch (error) {
  // Node's own report of an error in speedscope's script would quote its one line of 500,000 letters.
  console.error(error.stack);
  process.exit(1);
}
