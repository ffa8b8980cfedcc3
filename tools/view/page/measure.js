// SPDX-License-Identifier: MIT
// measure.js - a scan in JavaScript, a scan with SIMD and the tree: the same questions, compared
// answers, and a chart whose figures travel in the page's address.

const WAYS = [ // how the visible are found
    {id: 'js', name: 'scan in JavaScript', short: 'JavaScript', color: '#e69f00'},
    {id: 'simd', name: 'scan with SIMD, WebAssembly', short: 'SIMD', color: '#f0e442'},
    {id: 'tree', name: 'Acre, WebAssembly', short: 'Acre', color: '#56b4e9'},
];
const COUNTS = [1000, 3000, 10000, 30000, 100000, 300000, 1000000];
const VIEWS = 16;
const SHARE = 0.2;  // seconds for a figure, so that all take about ten
const LEAST = 4;    // milliseconds of a run
const CAMERAS = 5;  // of a frame: one, and its four shadow cascades
const STEP = 10;    // every tenth box moves in a frame, see measure.c

// Boxes as six arrays. The same sums in the same order as acre_frustum_test_aabb, rounded to floats.
class Scan {
    constructor(count) {
        this.count = count;
        this.edges = Array.from({length: 6}, () => new Float32Array(count));
        this.found = new Uint32Array(count);
    }
    // Of every step-th box.
    refresh(boxes, step) {
        for (let k = 0; k < 6; k++) {
            const edge = this.edges[k];
            for (let i = 0, at = k; i < this.count; i += step, at += 6 * step) edge[i] = boxes[at];
        }
    }
    query(planes) {
        const round = Math.fround, found = this.found;
        const ways = [];
        for (let p = 0; p < 24; p += 4) {
            const pick = (axis) => this.edges[planes[p + axis] >= 0 ? 3 + axis : axis];
            ways.push({x: pick(0), y: pick(1), z: pick(2), a: planes[p], b: planes[p + 1], c: planes[p + 2], d: planes[p + 3]});
        }
        let length = 0;
        for (let i = 0; i < this.count; i++) {
            let isSeen = true;
            for (let w = 0; w < 6; w++) {
                const way = ways[w];
                const sum = round(round(round(way.a * way.x[i]) + round(way.b * way.y[i])) + round(way.c * way.z[i]));
                if (round(sum + way.d) < 0) {
                    isSeen = false;
                    break;
                }
            }
            if (isSeen) found[length++] = i;
        }
        return length;
    }
}

const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
const pause = () => new Promise((done) => setTimeout(done));

// Milliseconds of work(view): the median over runs that are long enough for the browser's clock, of
// SHARE seconds in all.
async function time(work) {
    let repeats = 1, done = 0;
    const values = [], end = performance.now() + 1000 * SHARE;
    while (performance.now() < end || values.length < 3) {
        const begin = performance.now();
        for (let i = 0; i < repeats; i++) work(done++ % VIEWS);
        const took = performance.now() - begin;
        if (took < LEAST) { // too short to tell
            repeats = Math.ceil(repeats * Math.min(8, 1.5 * LEAST / Math.max(took, 0.1)));
            values.length = 0;
        } else {
            values.push(took / repeats);
        }
    }
    return median(values);
}

function functionsOf(module) {
    const call = (name, kinds, answer = 'number') => module.cwrap(name, answer, kinds);
    return {
        make: call('measure_make', ['number']), boxes: call('measure_boxes', []), views: call('measure_views', ['number']),
        move: call('measure_move', [], null), refresh: call('measure_refresh', ['boolean']),
        tree: call('measure_tree', ['number', 'number']), scan: call('measure_scan', ['number', 'number']),
        found: call('measure_found', ['boolean']), free: call('measure_free', [], null),
        floats: (at, count) => new Float32Array(module.HEAPU8.buffer, at, count),
        items: (at, count) => new Uint32Array(module.HEAPU8.buffer, at, count),
    };
}

// Every way finds the same set from every view; returns how many boxes they see on average.
function compare(acre, scan, views) {
    let seen = 0;
    for (let v = 0; v < VIEWS; v++) {
        const count = scan.query(views[v]);
        const wanted = scan.found.slice(0, count);
        const answers = [[acre.tree(v, 1), false]];
        answers.push([acre.scan(v, 1) >>> 0, true]);
        for (const [length, isScan] of answers) {
            const got = acre.items(acre.found(isScan), length).slice().sort();
            if (length !== count || got.some((item, i) => item !== wanted[i])) {
                throw new Error(`View ${v}: ${isScan ? 'the SIMD scan' : 'Acre'} finds ${length} boxes, the scan in JavaScript ${count}.`);
            }
        }
        seen += count / VIEWS;
    }
    return seen;
}

// Figures of one number of boxes: {count, seen, standing: {way: ms}, moving: {way: ms}}.
async function measureCount(acre, count) {
    if (!acre.make(count)) {
        return null; // the browser gives no more memory
    }
    const scan = new Scan(count);
    const views = Array.from({length: VIEWS}, (_, v) => acre.floats(acre.views(v), 24).slice());
    scan.refresh(acre.floats(acre.boxes(), 6 * count), 1);
    const row = {count, seen: compare(acre, scan, views), standing: {}, moving: {}};
    row.standing.js = await time((v) => scan.query(views[v]));
    row.standing.simd = await time((v) => acre.scan(v, 1));
    row.standing.tree = await time((v) => acre.tree(v, 1));
    // What moves is not measured: each way brings its boxes up to date, then asks for all cameras.
    const frame = async (refresh, query) => {
        let spent = 0, frames = 0;
        const end = performance.now() + 1000 * SHARE;
        while (performance.now() < end || frames < 3) {
            acre.move();
            const begin = performance.now();
            refresh();
            for (let i = 0; i < CAMERAS; i++) query((frames + i) % VIEWS);
            spent += performance.now() - begin;
            frames++;
        }
        await pause();
        return Math.max(spent, 0.01) / frames;
    };
    const boxes = () => acre.floats(acre.boxes(), 6 * count);
    row.moving.js = await frame(() => scan.refresh(boxes(), STEP), (v) => scan.query(views[v]));
    row.moving.simd = await frame(() => acre.refresh(false), (v) => acre.scan(v, 1));
    row.moving.tree = await frame(() => acre.refresh(true), (v) => acre.tree(v, 1));
    scan.refresh(boxes(), STEP);
    acre.refresh(false);
    compare(acre, scan, views);
    return row;
}

// --- What is shown --------------------------------------------------------------------------

const amount = (count) => count >= 1e6 ? `${count / 1e6} million` : count.toLocaleString('en');
// A line does not break before the unit.
const duration = (ms) => (ms >= 100 ? `${ms.toFixed(0)} ms` : ms >= 1 ? `${ms.toFixed(1)} ms`
    : ms >= 0.1 ? `${ms.toFixed(2)} ms` : `${(1000 * ms).toPrecision(2)} µs`).replace(' ', '\u00a0');
const tick = (power) => power >= 3 ? `${10 ** (power - 3)} s` : power >= -1 ? `${10 ** power} ms` : `${10 ** (power + 3)} µs`;

// Both axes are logarithmic.
function chart(rows, state) {
    const W = 480, H = 340, left = 70, right = 14, top = 10, bottom = 44;
    const values = rows.flatMap((row) => Object.values(row[state])).map((value) => Math.max(value, 1e-5));
    const low = Math.floor(Math.log10(Math.min(...values))), high = Math.ceil(Math.log10(Math.max(...values)));
    const x = (count) => left + (W - left - right) * (Math.log10(count) - 3) / 3;
    const y = (ms) => H - bottom - (H - top - bottom) * (Math.log10(ms) - low) / Math.max(high - low, 1);
    let text = '';
    for (let k = low; k <= high; k++) {
        text += `<line x1="${left}" x2="${W - right}" y1="${y(10 ** k)}" y2="${y(10 ** k)}" stroke="#2b3742"/>` +
            `<text x="${left - 8}" y="${y(10 ** k) + 4}" text-anchor="end">${tick(k)}</text>`;
    }
    for (const count of [1000, 10000, 100000, 1000000]) {
        text += `<line x1="${x(count)}" x2="${x(count)}" y1="${top}" y2="${H - bottom}" stroke="#2b3742"/>` +
            `<text x="${x(count)}" y="${H - bottom + 18}" text-anchor="${count === 1e6 ? 'end' : 'middle'}">${amount(count)}</text>`;
    }
    text += `<text x="${(left + W - right) / 2}" y="${H - 6}" text-anchor="middle">boxes</text>`;
    for (const way of WAYS) {
        const points = rows.filter((row) => way.id in row[state]).map((row) => [x(row.count), y(row[state][way.id])]);
        text += `<polyline fill="none" stroke="${way.color}" stroke-width="3" stroke-linejoin="round" points="${points.join(' ')}"/>` +
            points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="4" fill="${way.color}"/>`).join('');
    }
    return `<svg viewBox="0 0 ${W} ${H}" role="img" font-size="13" fill="#a9b4be">${text}</svg>`;
}

// Why a scan is faster, for each chart in which one is. What is not asking is bringing up to date.
function explain(row) {
    const says = [], scan = (state) => Math.min(...['js', 'simd'].map((id) => row[state][id] ?? Infinity));
    if (scan('standing') < row.standing.tree) {
        says.push(`Of ${amount(row.count)} standing boxes a scan finds the visible in ${duration(scan('standing'))}, the tree in ` +
            `${duration(row.standing.tree)}: so few boxes are tested sooner than cells.`);
    }
    if (scan('moving') < row.moving.tree) {
        const id = row.moving.simd < row.moving.js ? 'simd' : 'js', moved = Math.ceil(row.count / STEP);
        const rest = (way) => Math.max(row.moving[way] - CAMERAS * row.standing[way], 0);
        const enough = Math.ceil((rest('tree') - rest(id)) / (row.standing[id] - row.standing.tree));
        says.push(`Of ${amount(row.count)} boxes ${amount(moved)} move: a scan takes ${duration(row.moving[id])}, the tree ` +
            `${duration(row.moving.tree)}, of which ${duration(rest('tree'))} put the moved boxes into their cells, all over its memory. ` +
            (enough > 0 && enough < 1000 ? `From ${Math.max(enough, CAMERAS + 1)} cameras on the tree is faster.` : ''));
    }
    return says;
}

function show(figures) {
    const {rows} = figures;
    element('result').hidden = false;
    element('machine').value = figures.machine;
    element('charts').innerHTML = ['standing', 'moving'].map((state) =>
        `<figure><figcaption>${state === 'standing' ? 'Boxes stand: one camera asks' : 'A tenth moves, then five cameras ask'}</figcaption>${chart(rows, state)}</figure>`).join('');
    const ways = WAYS.filter((way) => way.id in rows[0].standing);
    element('legend').innerHTML = ways.map((way) => `<span><i style="background:${way.color}"></i>${way.name}</span>`).join('');
    const says = rows.flatMap((row) => explain(row));
    if (!says.length) says.push('In both charts Acre is the fastest, however many boxes there are.');
    element('why').replaceChildren(...says.map((text) => {
        const item = document.createElement('li');
        item.textContent = text;
        return item;
    }));
    const row = rows.findLast((r) => r.count <= 100000) ?? rows.at(-1);
    const best = Math.min(...['js', 'simd'].filter((id) => id in row.standing).map((id) => row.standing[id]));
    element('verdict').textContent = `Of ${amount(row.count)} standing boxes Acre finds the ${Math.round(row.seen).toLocaleString('en')} ` +
        `that are seen in ${duration(row.standing.tree)}; the fastest scan takes ${duration(best)}, ${(best / row.standing.tree).toFixed(best / row.standing.tree < 10 ? 1 : 0)} times as long.`;
    const cells = (row) => ['standing', 'moving'].flatMap((state) => {
        const least = Math.min(...Object.values(row[state]));
        return ways.map(({id}) => `<td${row[state][id] === least ? ' class="least"' : ''}>${id in row[state] ? duration(row[state][id]) : ''}</td>`);
    }).join('');
    const heads = ways.map((way) => `<th>${way.short}</th>`).join('');
    element('table').innerHTML = `<tr><th rowspan="2">boxes</th><th rowspan="2">seen</th>` +
        `<th colspan="${ways.length}">standing</th><th colspan="${ways.length}">moving</th></tr><tr>${heads}${heads}</tr>` +
        rows.map((r) => `<tr><td>${amount(r.count)}</td><td>${Math.round(r.seen)}</td>${cells(r)}</tr>`).join('');
}

// --- The link: #1~machine~rows, a row is count,seen,standing js,simd,tree,moving js,simd,tree --------

const short = (value) => value === undefined ? '' : String(Number(value.toPrecision(4)));

function linkOf(figures) {
    const rows = figures.rows.map((row) => [row.count, Math.round(row.seen),
        ...['standing', 'moving'].flatMap((state) => WAYS.map((way) => short(row[state][way.id])))].join(','));
    return `${location.href.split('#')[0]}#1~${encodeURIComponent(figures.machine).replaceAll('~', '%7E')}~${rows.join(';')}`;
}

// Null where the address carries no figures; whatever stands there is made numbers of.
function figuresOf(address) {
    const [version, machine, text] = address.slice(1).split('~');
    if (version !== '1' || !text) return null;
    const rows = text.split(';').slice(0, 20).map((line) => {
        const v = line.split(',').map((part) => part === '' ? undefined : Number(part));
        const row = {count: v[0], seen: v[1], standing: {}, moving: {}};
        WAYS.forEach((way, i) => {
            if (v[2 + i] > 1e-6 && v[2 + i] < 1e6) row.standing[way.id] = v[2 + i];
            if (v[5 + i] > 1e-6 && v[5 + i] < 1e6) row.moving[way.id] = v[5 + i];
        });
        return row;
    });
    const isGood = rows.every((row) => row.count >= 1 && row.count <= 1e7 && row.standing.tree && row.standing.js &&
        row.moving.tree && row.moving.js);
    return isGood ? {machine: decodeURIComponent(machine), rows} : null;
}

// As much as a browser tells; people may write more.
async function machineName() {
    const data = await navigator.userAgentData?.getHighEntropyValues?.(['architecture', 'bitness', 'platform', 'model']).catch(() => null);
    const parts = data ? [data.model, data.architecture && `${data.architecture} ${data.bitness} bit`, data.platform]
        : [/\(([^)]*)\)/.exec(navigator.userAgent)?.[1].split(';').slice(0, 2).join(',')];
    const browser = /(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(navigator.userAgent);
    const names = {Edg: 'Edge', Version: 'Safari'};
    return [...parts, `${navigator.hardwareConcurrency} threads`, browser && `${names[browser[1]] ?? browser[1]} ${browser[2]}`]
        .filter(Boolean).join(', ');
}

// What is shown before the visitor's machine is done, as a link that this page made.
const NAMED = '#1~Xeon%20with%20AVX-512%2C%202%20threads%2C%20Linux%2C%20Chromium%20156%2C%202026-11-26~' +
    '1000,195,0.2,0.007781,0.003015,0.845,0.1301,0.02894;' +
    '3000,435,0.4297,0.01646,0.002313,1.269,0.07816,0.02307;' +
    '10000,613,0.7476,0.07483,0.005234,5.002,0.6793,0.07475;' +
    '30000,923,1.975,0.25,0.007024,14.36,1.071,0.1982;' +
    '100000,949,5.6,0.3571,0.003613,37.15,3.055,0.5976;' +
    '300000,943,22.9,1.525,0.004907,132,9.888,2.331;' +
    '1000000,943,90.9,5.617,0.005878,416.2,26.65,10.92';

let figures = null;
const known = []; // figures, with a name each

// Shows figures, and lists them with those that were shown before.
function offer(name, its) {
    const at = known.findIndex((one) => one.name === name);
    known.splice(at < 0 ? known.length : at, at < 0 ? 0 : 1, {name, figures: its});
    element('whose').replaceChildren(...known.map((one, i) => new Option(one.name, i)));
    choose(known.findIndex((one) => one.name === name));
}

function choose(number) {
    element('whose').value = number;
    figures = known[number].figures;
    show(figures);
}

async function measure() {
    element('go').disabled = true;
    element('go').textContent = 'Measuring …';
    try {
        const module = globalThis.loaded ??= await makeModule(make_acre_measure, {});
        const acre = functionsOf(module);
        const most = Number(addressWords().get('most') ?? 1e6);
        const counts = COUNTS.filter((count) => count <= most);
        const rows = [], begin = performance.now();
        for (const [i, count] of counts.entries()) {
            element('now').textContent = `${amount(count)} boxes`;
            element('done').value = i / counts.length;
            await pause();
            const row = await measureCount(acre, count);
            if (!row) break;
            rows.push(row);
        }
        acre.free();
        element('done').value = 1;
        element('now').textContent = `${((performance.now() - begin) / 1000).toFixed(1)} s; all sets are equal`;
        offer('this machine', {machine: await machineName(), rows});
    } catch (error) {
        element('now').textContent = error.message;
    }
    element('go').disabled = false;
    element('go').textContent = 'Measure again';
}

element('go').onclick = measure;
element('whose').onchange = () => choose(Number(element('whose').value));
element('machine').oninput = () => { figures.machine = element('machine').value; };
element('copy').onclick = async () => {
    const link = linkOf(figures);
    history.replaceState(null, '', link);
    const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    element('copied').textContent = isCopied ? 'copied' : 'it stands in the address bar now';
};
showLinks();
let linked = null;
try {
    linked = figuresOf(location.hash);
} catch { // an address that somebody cut
}
offer('a named machine', figuresOf(NAMED));
if (linked) {
    offer('from the link', linked);
    element('go').textContent = 'Measure this machine';
} else {
    measure();
}
