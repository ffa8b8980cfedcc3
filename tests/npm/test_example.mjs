// SPDX-License-Identifier: MIT
// test_example.mjs - the package's page in a headless browser: it draws, and its table compares.
//     node test_example.mjs PROJECT PICTURE, where acre-culling and three are installed
import assert from 'node:assert';
import {Browser} from '../page/browser.mjs';
import {serve} from './server.mjs';

const [project, picture] = process.argv.slice(2);
const server = await serve(project);
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
let status = 0;
try {
    const page = await browser.open(
        `${server.address}/node_modules/acre-culling/example/`, {width: 1024, height: 640});
    await page.until('globalThis.example && document.getElementById("figures").childElementCount > 0');
    const drawn = await page.value('example.drawn()');
    assert.ok(drawn > 1000 && drawn < 50000, `${drawn} boxes are drawn`);
    const result = await page.value('example.compare()');
    assert.equal(result.length, 4);
    for (const {share, milliseconds, drawn: [acre, loop, all], lost, more} of result) {
        assert.equal(lost, 0, 'the loop draws a box that Acre left out');
        assert.ok(more <= 20, `Acre draws ${more} boxes more than the loop`);
        assert.ok(acre > 1000 && acre >= loop && all === 100000);
        console.log(`moving ${100 * share} %: Acre ${milliseconds[0].toFixed(2)} ms, ` +
            `loop ${milliseconds[1].toFixed(2)}, all ${milliseconds[2].toFixed(2)}`);
    }
    const [all, seen] = await page.value('example.compareOcclusion()');
    assert.ok(seen.drawn > 20 && seen.drawn < all.drawn / 5, `${seen.drawn} of ${all.drawn} boxes are drawn`);
    console.log(`walking: ${all.drawn} boxes in view, ${all.milliseconds.toFixed(2)} ms; ` +
        `${seen.drawn} not behind others, ${seen.milliseconds.toFixed(2)} ms`);
    assert.equal(await page.value('document.getElementById("occlusion").childElementCount'), 3);
    // Another way, and back.
    await page.value('document.getElementById("way").value = "all boxes", example.choose("all boxes")');
    await page.until('example.drawn() === 100000');
    await page.value('document.getElementById("way").selectedIndex = 0, example.choose("AcreInstancedMesh")');
    await page.until('example.drawn() < 50000');
    await new Promise((done) => setTimeout(done, 500));
    if (picture) await page.picture(picture);
    assert.deepEqual(page.faults, []);
    console.log('ok    the example');
} catch (error) {
    console.log(`FAIL  the example: ${error.message}`);
    status = 1;
} finally {
    await browser.close();
    server.close();
}
process.exit(status);
