// SPDX-License-Identifier: MIT
// test_examples.mjs - the package's single-file examples in a headless browser: each runs and draws.
//     node test_examples.mjs PROJECT PICTURES, where acre-culling and three are installed
import assert from 'node:assert';
import {Browser} from '../page/browser.mjs';
import {serve} from './server.mjs';

const [project, pictures] = process.argv.slice(2);
// Pages by name: a check in the page, after some frames.
const checks = {
    forest: async (page) => {
        const drawn = await page.value('example.drawn()');
        assert.ok(drawn.length === 3 && drawn.every((count) => count > 10), `drawn ${drawn}`);
        const picked = await page.value('[300, 500, 700].map((x) => example.pick(x, 330)).filter((row) => row >= 0).length');
        assert.ok(picked > 0, 'a click finds a tree');
        assert.equal(await page.value('example.left()'), 100000 - picked);
    },
    crowd: async (page) => {
        assert.ok(await page.value('example.last().pairs') > 10000);
        assert.ok(await page.value('example.apart()') < 40, 'few stand in each other');
    },
    shapes: async () => {},
    town: async (page) => {
        const [hidden, all] = await page.value('example.compare()');
        assert.ok(hidden.drawn < all.drawn / 5, `${hidden.drawn} of ${all.drawn} houses are drawn`);
        console.log(`ok    town: ${hidden.drawn} of ${all.drawn} houses, ${hidden.milliseconds} and ${all.milliseconds} ms a search`);
    },
    minimap: async (page) => {
        const {seen, inCircle, nearest} = await page.value('example.draw()');
        assert.ok(Math.abs(seen / (1e6 * 667 * 401 / (8192 * 8192)) - 1) < 0.2, `${seen} are seen`);
        assert.ok(inCircle > 10 && inCircle < 200 && nearest.length === 12);
        assert.ok(nearest.every((distance, i) => i === 0 || distance >= nearest[i - 1]));
    },
};

const server = await serve(project);
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
let status = 0;
for (const [name, check] of Object.entries(checks)) {
    try {
        const page = await browser.open(`${server.address}/node_modules/acre-culling/example/${name}.html`,
            {width: 1000, height: 600});
        await page.until('globalThis.example && example.frames() > 4', 120);
        const drawn = (await page.value('example.drawn()')).reduce((sum, count) => sum + count);
        const least = name === 'town' ? 20 : 100; // houses before all others
        assert.ok(drawn > least && drawn < 40000, `${drawn} are drawn`);
        await check(page);
        if (pictures) await page.picture(`${pictures}/${name}.png`);
        assert.deepEqual(page.faults.filter((text) => !text.includes('GPU stall')), []);
        await page.close();
        console.log(`ok    ${name}: ${drawn} drawn`);
    } catch (error) {
        console.log(`FAIL  ${name}: ${error.message}`);
        status = 1;
    }
}
await browser.close();
server.close();
process.exit(status);
