// SPDX-License-Identifier: MIT
// test_page.mjs - the pages in a headless browser: they load, their numbers are the program's, and
// mouse, fingers and keys move what they should.
//     node test_page.mjs PAGES NUMBERS RECORDING_PAGE RECORDING_NUMBERS PICTURES
import {existsSync, mkdirSync, readFileSync, statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {Browser} from './browser.mjs';

const [pages, numbers, recordingPage, recordingNumbers, pictures] = process.argv.slice(2).map((path) => resolve(path));
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
const DESKTOP = {width: 1280, height: 720}, SMALL = {width: 640, height: 400};
const PHONE = {width: 390, height: 844, isPhone: true};
let passed = 0, failed = 0;
mkdirSync(pictures, {recursive: true});

function check(isTrue, what) {
    if (!isTrue) {
        throw new Error(what);
    }
}

async function test(name, run) {
    const begin = Date.now();
    try {
        await run();
        passed++;
        console.log(`ok    ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
        failed++;
        console.log(`FAIL  ${name}: ${error.message}`);
    }
}

// Opens a page, runs a test in it, and wants a console without a complaint.
async function on(path, words, size, run) {
    const page = await browser.open(`file://${path}${words ? `#${words}` : ''}`, size);
    try {
        await run(page);
        check(page.faults.length === 0, `the console says: ${page.faults.join('; ')}`);
    } finally {
        await page.close();
    }
}

const state = async (page) => JSON.parse(await page.value('acre.state()'));
const started = (page) => page.until('globalThis.acre && JSON.parse(acre.state()).frame > 2 && element("controls").childElementCount > 3');
const frames = async (page, count) => {
    const {frame} = await state(page);
    await page.until(`JSON.parse(acre.state()).frame >= ${frame + count}`);
};

// The share of the picture's pixels that differ from its most frequent color.
const variety = (page) => page.value(`(() => {
    const from = element('picture'), to = document.createElement('canvas');
    acre.frame(0, size.width, size.height, size.textScale, 0, 0);
    to.width = 64; to.height = 64;
    const flat = to.getContext('2d');
    flat.drawImage(from, 0, 0, 64, 64);
    const bytes = flat.getImageData(0, 0, 64, 64).data, counts = new Map();
    for (let i = 0; i < bytes.length; i += 4) {
        const key = (bytes[i] >> 4) * 256 + (bytes[i + 1] >> 4) * 16 + (bytes[i + 2] >> 4);
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return 1 - Math.max(...counts.values()) / 4096;
})()`);

// Rows of "name<tab>text" as the program prints them: a name, at least two spaces or a column, text.
const programRows = (path) => readFileSync(path, 'utf8').trimEnd().split('\n')
    .map((line) => `${line.slice(0, 24).trimEnd()}\t${line.slice(24)}`).join('\n');
const hasSameNumbers = async (page, path) => {
    const now = (await page.value('acre.numbers()')).trimEnd(), wanted = programRows(path);
    check(now === wanted, `the numbers differ:\n${now}\nprogram:\n${wanted}`);
};

const city = join(pages, 'index.html'), empty = join(pages, 'page.html'), measure = join(pages, 'measure.html');

await test('pages_are_small', async () => {
    const scene = /<script id="file"[^>]*>([^<]*)</.exec(readFileSync(city, 'utf8'))[1].length;
    check(statSync(city).size - scene < 1000000, 'the city page without its scene passes 1 MB');
});

await test("the_city_opens_and_its_numbers_are_the_program's", () =>
    on(city, 'scale=0.5&flat&cars=500', SMALL, async (page) => {
        await started(page);
        check((await state(page)).draws > 20, 'it draws nothing');
        check(await variety(page) > 0.3, 'the picture is blank');
        await hasSameNumbers(page, numbers);
    }));

await test('the_city_begins_frozen_with_words_that_stand_beside_the_panel', () =>
    on(city, 'scale=0.3&flat&cars=100', DESKTOP, async (page) => {
        await started(page);
        await page.until('element("legend").childElementCount >= 5');
        check(/^Acre answers/.test(await page.value('element("about").textContent')), 'it begins without a sentence');
        check(/tested: [1-9]/.test(await page.value('element("legend").textContent')), 'the legend counts nothing');
        check(await page.value('element("legend").getBoundingClientRect().left > element("panel").getBoundingClientRect().right'),
            'the panel covers the legend');
        check(await page.value('getComputedStyle(element("legend")).fontSize') === '14px', 'the legend shrinks with the picture');
        check(/OpenStreetMap/.test(await page.value('element("license").textContent')), 'the license line is missing');
        check(!/\(\w\)/.test(await page.value('element("controls").textContent')), 'the panel speaks of keys');
        const links = await page.value('[...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href"))');
        check(links.length >= 2 && links.every((link) => existsSync(join(pages, link))), `links lead nowhere: ${links}`);
        const figures = await page.value('element("controls").textContent');
        check(/camera query[\d.]+ µs/.test(figures) && /scan of all boxes[\d.]+ µs/.test(figures), `no figures: ${figures}`);
        check(/software renderer/.test(figures), 'it does not say who draws');
        check(!/[^\d.]0(\.0+)? (µs|ms)/.test(figures), `a time is nothing: ${figures}`);
    }));

await test('a_mouse_looks_around_and_picks_a_building', () =>
    on(city, 'scale=0.5&flat&cars=0', SMALL, async (page) => {
        await started(page);
        await page.key('Digit1', '1'); // the camera is frozen no more
        for (let i = 0; i < 3; i++) await page.key('KeyC', 'c'); // from orbiting to flying
        await frames(page, 2);
        const before = await state(page);
        await page.mouse('mousePressed', 500, 200);
        for (let x = 500; x >= 440; x -= 20) {
            await page.mouse('mouseMoved', x, 200, {buttons: 1});
            await frames(page, 1);
        }
        await page.mouse('mouseReleased', 440, 200);
        const after = await state(page);
        check(Math.abs(after.yaw - before.yaw) > 0.05, 'dragging turns nothing');
        await page.send('Input.dispatchKeyEvent', {type: 'keyDown', code: 'KeyW', key: 'w'});
        await frames(page, 3);
        await page.send('Input.dispatchKeyEvent', {type: 'keyUp', code: 'KeyW', key: 'w'});
        const moved = await state(page);
        check(Math.hypot(moved.eye[0] - after.eye[0], moved.eye[2] - after.eye[2]) > 0.1, 'W goes nowhere');
        let picked = 0;
        for (const [x, y] of [[560, 160], [420, 160], [520, 120], [600, 200]]) {
            await page.mouse('mousePressed', x, y);
            await page.mouse('mouseReleased', x, y);
            await frames(page, 2);
            picked = picked || (await state(page)).picked;
        }
        check(picked > 0, 'clicks pick nothing');
        check(await page.value('[...document.querySelectorAll("#controls h2")].some((h) => h.textContent === "Clicked")') ||
            (await state(page)).picked === 0, 'the panel does not say what was clicked');
    }));

await test('the_panel_changes_what_it_names', () =>
    on(empty, 'sample=idea&scale=0.3', SMALL, async (page) => {
        await started(page);
        check((await state(page)).sample === 'idea', 'not the sample that was asked for');
        check(await variety(page) > 0.1, 'the picture is blank');
        const keys = await page.value(`[...document.querySelectorAll('#controls .key')].map((k) => k.textContent + k.style.getPropertyValue('--key')).join()`);
        check(keys === 'blue#0072b2ff,red#f82810ff,light blue#56b4e9ff', `the panel explains other colors: ${keys}`);
        const cells = `[...document.querySelectorAll('#controls .row')].find((r) => r.firstChild.textContent === 'cells').lastChild.value`;
        const before = await page.value(cells);
        await page.value(`(() => { const range = document.querySelector('#controls input[type=range]');
            range.value = 12; range.dispatchEvent(new Event('input')); })()`);
        await page.until(`${cells} !== ${JSON.stringify(before)}`);
        const names = await page.value(`[...document.querySelector('#controls select').options].map((o) => o.text)`);
        for (let i = 1; i < names.length; i++) { // every sample starts and draws
            await page.value(`(() => { const list = document.querySelector('#controls select');
                list.value = ${i}; list.dispatchEvent(new Event('change')); })()`);
            await page.until(`element('title').textContent === ${JSON.stringify(names[i])}`);
            await frames(page, 2);
            check(await variety(page) > 0.02, `${names[i]}: the picture is blank`);
        }
        await page.value(`(() => { const list = document.querySelector('#controls select');
            list.value = 0; list.dispatchEvent(new Event('change')); })()`);
        await page.until('JSON.parse(acre.state()).note > 0'); // this page carries no city, and says so
    }));

await test('fingers_turn_and_come_nearer_on_a_phone', () =>
    on(empty, 'sample=towers&scale=0.25', PHONE, async (page) => {
        await started(page);
        check(await page.value('element("panel").classList.contains("closed")'), 'the panel covers the picture');
        const before = await state(page);
        await page.touch('touchStart', [[120, 300], [270, 300]]);
        for (let i = 1; i <= 4; i++) {
            await page.touch('touchMove', [[120 - 15 * i, 300], [270 + 25 * i, 300]]);
            await frames(page, 1);
        }
        await page.touch('touchEnd', []);
        const after = await state(page);
        check(after.distance < 0.8 * before.distance, 'two fingers come no nearer');
        check(Math.abs(after.yaw - before.yaw) > 0.02, 'two fingers turn nothing');
        await page.touch('touchStart', [[200, 300]]);
        await page.touch('touchEnd', []);
        const box = await page.value('(({x, y, width, height}) => [x + width / 2, y + height / 2])(element("toggle").getBoundingClientRect())');
        await page.touch('touchStart', [box]);
        await page.touch('touchEnd', []);
        await page.until('!element("panel").classList.contains("closed")');
        check(await page.value('document.documentElement.scrollWidth <= innerWidth'), 'the page is wider than the phone');
        await page.value(`(() => { const list = document.querySelector('#controls select');
            list.value = [...list.options].findIndex((o) => o.text === 'Occlusion'); list.dispatchEvent(new Event('change')); })()`);
        await page.until(`[...document.querySelectorAll('#texts .note')].some((n) => n.textContent === 'what the eye sees' && !n.hidden)`);
    }));

await test("a_recording_page_replays_and_its_numbers_are_the_program's", () =>
    on(recordingPage, 'scale=0.5', SMALL, async (page) => {
        await started(page);
        check((await state(page)).sample === 'recording', 'it does not begin with the recording');
        await hasSameNumbers(page, recordingNumbers);
        await page.value('(element("numbers").open = true)');
        await page.until('element("rows").childElementCount > 5');
    }));

await test('the_measuring_page_compares_measures_and_makes_a_link', () =>
    on(measure, 'most=10000', DESKTOP, async (page) => {
        // Somebody's figures are there at once; the visitor's come by themselves.
        await page.until('typeof element !== "undefined" && element("whose").length === 1');
        check(/100,000 standing boxes/.test(await page.value('element("verdict").textContent')), 'no figures at the start');
        await page.until('element("whose").length === 2', 60);
        check(/all sets are equal/.test(await page.value('element("now").textContent')), await page.value('element("now").textContent'));
        check(await page.value('document.querySelectorAll("#charts polyline").length') === 6, 'lines are missing in the charts');
        const link = await page.value('linkOf(figures)');
        const again = await page.value(`JSON.stringify(figuresOf(${JSON.stringify(link.slice(link.indexOf('#')))}))`);
        const rows = JSON.parse(again).rows;
        check(rows.length === 3 && rows[2].count === 10000 && rows[2].standing.tree > 0, 'the link carries other figures');
        check(await page.value('figuresOf("#1~x~1,2") === null && figuresOf("#most=5") === null'), 'a broken link is taken');
        const slow = {count: 100, seen: 50, standing: {js: 1, simd: 0.1, tree: 0.2}, moving: {js: 2, simd: 1, tree: 3}};
        check(await page.value(`explain(${JSON.stringify(slow)}).length`) === 2, 'a row that a scan wins is not explained');
        await page.picture(join(pictures, 'measure.png'));
    }));

await test('pictures', async () => {
    await on(city, 'cars=1000&scale=0.5', DESKTOP, async (page) => {
        await started(page);
        await page.picture(join(pictures, 'city.png'));
    });
    await on(city, 'scale=0.4&flat&cars=1000', PHONE, async (page) => {
        await started(page);
        await page.picture(join(pictures, 'city_phone.png'));
        await page.value('openPanel(true)');
        await page.picture(join(pictures, 'city_phone_panel.png'));
    });
    await on(empty, 'sample=idea&scale=1', DESKTOP, async (page) => {
        await started(page);
        await page.picture(join(pictures, 'idea.png'));
    });
});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
