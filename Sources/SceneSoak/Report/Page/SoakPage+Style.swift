extension SoakPage {
    /// The style sheet. Colours are named by meaning and differ between light and dark mode; all other rules are shared.
    static let style = """
        :root { color-scheme: light dark; --text: #1b1d20; --faint: #5b6067; --paper: #ffffff; --card: #f5f6f8; --line: #d8dbe0;
          --grid: #e3e6ea; --bad: #b3261e; --good: #19682f; --doubt: #8a5000; --fault: #fbdccf; --warmup: #e9ecf0;
          --c1: #2563b0; --c2: #c2571a; --q1: #86b2e4; --q2: #5a96d6; --q3: #3579bf; --q4: #1c5799; --q5: #0a3059;
          --o1: #2f7d5b; --o2: #8cc5a6; --o3: #2563b0; --o4: #9db8dd; --o5: #d9a441; --o6: #8e6bb5; --o7: #c0392b; --o8: #3a3f45;
          --s1: #2f7d5b; --s2: #a5cfb8; --s3: #8fa3bd; --s4: #dadee4; --s5: #c2571a; }
        @media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --faint: #a3a9b1; --paper: #15171a; --card: #1f2226;
          --line: #3a3f46; --grid: #2c3036; --bad: #ff9085; --good: #7fd89a; --doubt: #f0b65c; --fault: #54291d; --warmup: #24272c;
          --c1: #7db4f5; --c2: #f0935a; --q1: #35679f; --q2: #4480c4; --q3: #639fe2; --q4: #97c2f3; --q5: #d9eafd;
          --o1: #4fae84; --o2: #2c6b50; --o3: #5b9be0; --o4: #34557f; --o5: #d9a441; --o6: #a988cf; --o7: #f0695c; --o8: #c9ced5;
          --s1: #4fae84; --s2: #2c6b50; --s3: #566a85; --s4: #2f343b; --s5: #f0935a; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.25rem; background: var(--paper); color: var(--text);
          font: 15px/1.45 system-ui, sans-serif; }
        header { border-left: .4rem solid var(--line); padding: .2rem 0 .2rem 1rem; margin-bottom: 1.25rem; }
        header.guilty { border-color: var(--bad); } header.clean { border-color: var(--good); }
        header.unknown { border-color: var(--doubt); }
        h1 { font-size: 1.3rem; font-weight: 600; line-height: 1.3; margin: .2rem 0; overflow-wrap: anywhere; }
        .guilty h1 b { color: var(--bad); } .clean h1 b { color: var(--good); } .unknown h1 b { color: var(--doubt); }
        h2 { font-size: 1.05rem; margin: 1.8rem 0 .6rem; } h3 { font-size: .95rem; margin: .8rem 0 .2rem; }
        .what, .note, .faint, footer, caption, small { color: var(--faint); }
        .what { margin: 0; } .note { font-size: .82rem; margin: .2rem 0 0; }
        .reasons { margin: .4rem 0 0; padding-left: 1.2rem; } .reasons li { overflow-wrap: anywhere; }
        .bad { color: var(--bad); } .good { color: var(--good); } .doubt { color: var(--doubt); }
        .reasons .bad::marker { content: "✘ "; } .reasons .doubt::marker { content: "? "; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .6rem; margin: 0; }
        .tile { background: var(--card); border-radius: 8px; padding: .5rem .7rem; }
        .tile dt { color: var(--faint); font-size: .82rem; }
        .tile dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
        .tile small { display: block; font-size: .74rem; line-height: 1.3; }
        .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem 1.5rem; align-items: start; }
        .pair > * { min-width: 0; }
        .chart { margin: 0 0 1.2rem; min-width: 0; }
        figcaption { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; margin-bottom: .2rem; }
        .key { font-size: .82rem; white-space: nowrap; }
        .key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .3rem; vertical-align: -.1rem; }
        .plot { display: grid; grid-template: 1rem 15rem 1.4rem / 4.4rem 1fr; }
        .small .plot { grid-template-rows: 1rem 9rem 1.4rem; }
        .plot svg { grid-area: 2 / 2; width: 100%; height: 100%; border-bottom: 1px solid var(--faint); overflow: visible; }
        .heights { grid-area: 2 / 1; position: relative; } .widths { grid-area: 3 / 2; position: relative; }
        .above { grid-area: 1 / 2; position: relative; }
        .plot span { position: absolute; white-space: nowrap; font-size: .75rem; line-height: 1; color: var(--faint);
          font-variant-numeric: tabular-nums; }
        .heights span { right: .5rem; transform: translateY(50%); max-width: 3.9rem; overflow: hidden; text-overflow: ellipsis; padding: .1rem 0; }
        .widths span { top: .35rem; transform: translateX(-50%); }
        .plot .first { transform: none; } .plot .last { transform: translateX(-100%); }
        .above span { bottom: .15rem; }
        path, rect { vector-effect: non-scaling-stroke; }
        .grid { stroke: var(--grid); stroke-width: 1; fill: none; }
        .line { fill: none; stroke: var(--k); stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
        .points { stroke-width: 7; }
        .dashed { stroke-dasharray: 5 4; } .band { fill: var(--k); stroke: none; opacity: .28; } .layer { fill: var(--k); stroke: none; }
        .trend { fill: none; stroke: var(--bad); stroke-width: 2.5; } .restart { fill: none; stroke: var(--text); stroke-width: 1.2; stroke-dasharray: 3 3; }
        .fault { fill: var(--fault); } .warmup { fill: var(--warmup); }
        .key i { background: var(--k); }
        \(["c1", "c2", "q1", "q2", "q3", "q4", "q5", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "s1", "s2", "s3", "s4", "s5"]
            .map { ".\($0) { --k: var(--\($0)); }" }.joined(separator: " "))
        .scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--c1); }
        table { border-collapse: collapse; min-width: min(100%, 24rem); font-size: .88rem; font-variant-numeric: tabular-nums; }
        caption { text-align: left; font-size: .82rem; padding-bottom: .3rem; }
        caption span { position: sticky; left: 0; display: inline-block; max-width: min(73rem, 100vw - 2.5rem); }
        th { text-align: left; font-weight: 600; } th, td { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--grid); vertical-align: top; }
        .n { text-align: right; white-space: nowrap; }
        @media (max-width: 34rem) { .stacked, .stacked caption, .stacked tbody, .stacked tr { display: block; min-width: 0; }
          .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .stacked tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
          .stacked td { display: flex; gap: .9rem; justify-content: space-between; border: none; padding: .1rem 0; text-align: right; white-space: normal; overflow-wrap: anywhere; }
          .stacked td::before { content: attr(data-name); color: var(--faint); flex: none; } .stacked td:first-child { font-weight: 600; }
          .stacked td:first-child::before { content: none; } th, td { padding-right: .5rem; } }
        pre { background: var(--card); border-radius: 8px; padding: .7rem .9rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85em; }
        a { color: var(--c1); }
        footer { margin-top: 2rem; border-top: 1px solid var(--line); font-size: .82rem; }
        @page { margin: 14mm; }
        @media print { body { max-width: none; padding: 0; font-size: 11px; } section, figure, tr { break-inside: avoid; }
          .plot svg, .key i, .tile { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .scroll { overflow: visible; } }
        """
}
