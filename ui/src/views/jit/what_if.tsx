import type { JitData } from "../../data/page_data";
import { SignedScale } from "../../model/signed_scale";
import { whatIfOf } from "../../model/jit_what_if";
import { formatGain } from "./jit_text";
import { EstimateLines, Scroll } from "./method_tables";
import { GainBar } from "./verdict";

const LINEAR_NS = 10_000;

// CPU time, the compilers' included, that other ways to compile the method would have saved.
export function WhatIf({ jit, jitMethod }: { jit: JitData; jitMethod: number }) {
  const found = whatIfOf(jit, jitMethod);
  if (!found) return null;
  const largest = Math.max(...found.strategies.map(({ saved }) => Math.max(Math.abs(saved.low), Math.abs(saved.high))));
  const scale = new SignedScale(largest, LINEAR_NS);
  return (
    <>
      <h3>What if</h3>
      <Scroll label="What if">
        <thead><tr><th scope="col">CPU time saved</th><th scope="col" class="num">estimate, 95 %</th><th scope="col">around 0</th></tr></thead>
        <tbody>{found.strategies.map(({ name, phrase, saved, verdict }) => (
          <tr key={name}>
            <th scope="row" class="jit-wrap">{phrase}</th>
            <td class="num"><EstimateLines of={saved} format={formatGain} /><br /><span class="dim">{["saves", "costs more", "undecided"][verdict]}</span></td>
            <td><GainBar gain={saved} scale={scale} verdict={verdict} /></td>
          </tr>
        ))}</tbody>
      </Scroll>
      <p class="dim jit-key">Negative: it would have cost more. Assumed: it is called as often, and compilers do not use the time for others. One that is kept from it does not inline it either.</p>
    </>
  );
}
