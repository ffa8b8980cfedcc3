// SPDX-License-Identifier: MIT
// browser.mjs - a headless Chromium, spoken to over a pipe by its own protocol: no package of npm.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const FLAGS = ['--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--disable-extensions', '--mute-audio', '--hide-scrollbars', '--remote-debugging-pipe'];

export class Browser {
    constructor(program) {
        this.folder = mkdtempSync(join(tmpdir(), 'acre-page-'));
        this.process = spawn(program, [...FLAGS, `--user-data-dir=${this.folder}`, 'about:blank'],
            {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
        this.waiting = new Map();
        this.listeners = [];
        this.number = 0;
        let rest = '';
        this.process.stdio[4].on('data', (bytes) => {
            const parts = (rest + bytes).split('\0');
            rest = parts.pop();
            parts.forEach((part) => this.take(JSON.parse(part)));
        });
    }

    take(message) {
        if (message.id) {
            const {resolve, reject} = this.waiting.get(message.id);
            this.waiting.delete(message.id);
            message.error ? reject(new Error(message.error.message)) : resolve(message.result);
        } else {
            this.listeners.forEach((listen) => listen(message));
        }
    }

    send(method, params = {}, sessionId) {
        const id = ++this.number;
        this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
        return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
    }

    // Opens an address in a tab of its own. isPhone: a small screen with fingers.
    async open(address, {width, height, isPhone = false}) {
        const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
        const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
        const page = new Page(this, sessionId, targetId);
        await page.send('Runtime.enable');
        await page.send('Log.enable');
        await page.send('Page.enable');
        await page.send('Emulation.setDeviceMetricsOverride',
            {width, height, deviceScaleFactor: isPhone ? 2 : 1, mobile: isPhone});
        if (isPhone) {
            await page.send('Emulation.setTouchEmulationEnabled', {enabled: true, maxTouchPoints: 5});
        }
        await page.send('Page.navigate', {url: address});
        return page;
    }

    async close() {
        const isGone = new Promise((done) => this.process.once('exit', done));
        this.send('Browser.close').catch(() => {});
        await Promise.race([isGone, new Promise((done) => setTimeout(done, 5000))]);
        this.process.kill('SIGKILL');
        try {
            rmSync(this.folder, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
        } catch {
            // a process of its own that still writes there: the folder is the system's to clear
        }
    }
}

class Page {
    constructor(browser, session, target) {
        this.browser = browser;
        this.session = session;
        this.target = target;
        this.faults = []; // what the console complained about
        browser.listeners.push((message) => {
            if (message.sessionId !== session) return;
            const {method, params} = message;
            if (method === 'Runtime.exceptionThrown') {
                this.faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
            } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) {
                this.faults.push(params.args.map((a) => a.value ?? a.description).join(' '));
            } else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level)) {
                this.faults.push(params.entry.text);
            }
        });
    }

    send(method, params) {
        return this.browser.send(method, params, this.session);
    }

    // The value of an expression in the page; promises are waited for.
    async value(expression) {
        const answer = await this.send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
        if (answer.exceptionDetails) {
            throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
        }
        return answer.result.value;
    }

    async until(expression, seconds = 60) {
        const end = Date.now() + 1000 * seconds;
        while (!await this.value(`Boolean(${expression})`)) {
            if (Date.now() > end) {
                throw new Error(`after ${seconds} s still not: ${expression}; ${this.faults.join('; ')}`);
            }
            await new Promise((done) => setTimeout(done, 50));
        }
    }

    async mouse(type, x, y, more = {}) {
        await this.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1, ...more});
    }

    async touch(type, points) {
        await this.send('Input.dispatchTouchEvent',
            {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    }

    async key(code, key) {
        for (const type of ['keyDown', 'keyUp']) {
            await this.send('Input.dispatchKeyEvent', {type, code, key, windowsVirtualKeyCode: key.charCodeAt(0)});
        }
    }

    async picture(path) {
        const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
        writeFileSync(path, Buffer.from(data, 'base64'));
    }

    async close() {
        await this.browser.send('Target.closeTarget', {targetId: this.target});
    }
}
