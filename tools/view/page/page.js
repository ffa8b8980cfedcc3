// SPDX-License-Identifier: MIT
// page.js - the canvas, the clock, the mouse, fingers and keys, the picture's texts and the panel's
// elements. What they show comes from the module (page.c); nothing here knows a sample or an overlay.

const CONTROL = {title: 0, switch: 1, slider: 2, choice: 3, readout: 4}; // as stage_controls.h has them
const canvas = element('picture');
const isTouch = matchMedia('(pointer: coarse)').matches;
document.body.classList.toggle('touch', isTouch);

function say(text) {
    element('message').textContent = text;
    element('message').hidden = !text;
}

// --- The panel ------------------------------------------------------------------------------

let shape = '';     // of the table that the elements were made for
let writers = [];   // of what changes, one for each control
let heldUntil = []; // a control that was just moved is not written to

// With a mouse and with fingers: in the city, and in a sample, whose sentence says what can be dragged.
const hints = [['Drag: look. Wheel: nearer. Click: what is it? F1: help.', 'Right button: turn. Wheel: nearer. F1: help.'],
    ['Drag: look. Two fingers: turn, come nearer. Tap: what is it?', 'Two fingers: turn, come nearer.']];

function make(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text ?? '';
    return made;
}

// "pause (Space)": keys stand in a tip, since many visitors have none.
function nameOf(control) {
    const [, name, key] = /^(.*?)(?: \((\w|Space)\))?$/.exec(control.name);
    const made = make('span', '', name);
    made.title = [control.help, key && `Key: ${key}`].filter(Boolean).join('. ');
    if (control.color) {
        made.className = 'key';
        made.style.setProperty('--key', control.color);
    }
    return made;
}

function makeControl(acre, control, number) {
    const set = (value) => {
        heldUntil[number] = performance.now() + 400;
        acre.set(number, value);
    };
    if (control.kind === CONTROL.title) {
        return [make('h2', '', control.name), () => {}];
    }
    if (control.kind === CONTROL.readout) {
        const row = make('div', 'row'), text = make('output', '');
        row.append(nameOf(control), text);
        return [row, (now) => { if (text.value !== now.text) text.value = now.text; }];
    }
    const label = make('label', Object.keys(CONTROL)[control.kind]);
    if (control.kind === CONTROL.switch) {
        const box = make('input', '');
        box.type = 'checkbox';
        box.onchange = () => set(box.checked ? 1 : 0);
        label.append(box, nameOf(control));
        return [label, (now) => { box.checked = now.value !== 0; }];
    }
    if (control.kind === CONTROL.slider) {
        const range = make('input', ''), value = make('output', '');
        range.type = 'range';
        range.oninput = () => { value.value = range.value; set(Number(range.value)); };
        label.append(nameOf(control), value, range);
        return [label, (now) => {
            range.min = now.least;
            range.max = now.most;
            range.value = now.value;
            value.value = now.value;
        }];
    }
    const list = make('select', '');
    control.choices.forEach((name, i) => list.append(new Option(name, i)));
    list.onchange = () => { set(Number(list.value)); list.blur(); };
    label.append(nameOf(control), list);
    return [label, (now) => { list.value = now.value; }];
}

function showPanel(acre) {
    const text = acre.panel();
    if (!text) {
        return;
    }
    const table = JSON.parse(text);
    const now = table.controls.map((c) => `${c.kind} ${c.name} ${c.color}`).join('\n');
    if (now !== shape) {
        shape = now;
        heldUntil = [];
        const made = table.controls.map((c, i) => makeControl(acre, c, i));
        element('controls').replaceChildren(...made.map((m) => m[0]));
        writers = made.map((m) => m[1]);
    }
    element('title').textContent = table.title;
    element('about').textContent = table.about.replaceAll('\n', ' ');
    const time = performance.now();
    table.controls.forEach((c, i) => { if (!(heldUntil[i] > time)) writers[i](c); });
    const steering = table.controls.find((c) => c.name.startsWith('camera ('));
    element('hint').textContent = hints[Number(isTouch)][steering ? 0 : 1];
    document.body.classList.toggle('flying', steering?.choices?.[steering.value] === 'fly');
}

function showNumbers(acre) {
    const rows = acre.numbers().split('\n').filter(Boolean).map((line) => {
        const [name, text] = line.split('\t');
        const row = make('div', 'row');
        row.append(make('span', '', name), make('span', '', text));
        return row;
    });
    element('rows').replaceChildren(...rows);
}

// What the panel covers: along the lower edge on phones, else at the left. The picture's texts have as
// many pixels as the page.
function covered() {
    const panel = element('panel'), isOpen = !panel.classList.contains('closed');
    return innerWidth <= 640 ? {left: 0, below: Math.min(panel.offsetHeight, 0.6 * innerHeight)}
        : {left: isOpen && panel.offsetWidth < 0.5 * innerWidth ? panel.offsetLeft + panel.offsetWidth : 0, below: 0};
}

// --- The picture's texts, which stay sharp where the picture has few pixels ------------------------

let shownTexts = '';
const pool = []; // elements of texts at places

function showTexts(acre, free) {
    const text = acre.texts();
    const now = `${text}${free.left},${free.below}`;
    if (now === shownTexts) {
        return;
    }
    shownTexts = now;
    const all = JSON.parse(text), keys = all.filter((t) => t[0] === 'key').reverse();
    const placed = all.filter((t) => t[0] !== 'key' && t[0] !== 'notice');
    while (pool.length < placed.length) {
        pool.push(element('texts').appendChild(make('span', '')));
    }
    pool.forEach((made, i) => {
        made.hidden = i >= placed.length;
        if (made.hidden) return;
        const [kind, x, y, color, words] = placed[i];
        if (made.textContent !== words) made.textContent = words;
        made.className = kind;
        made.style.color = kind === 'text' ? color : '';
        made.style.translate = `${x}px ${y}px`;
    });
    const legend = element('legend');
    while (legend.childElementCount > keys.length) legend.lastChild.remove();
    keys.forEach(([, , , color, words], i) => {
        const row = legend.children[i] ?? legend.appendChild(make('li', ''));
        if (row.textContent !== words) row.textContent = words;
        row.style.setProperty('--key', color);
    });
    const license = element('license'), notice = all.find((t) => t[0] === 'notice');
    license.hidden = !notice;
    if (notice) license.textContent = notice[4].replace('(c)', '©');
    document.body.style.setProperty('--left', `${free.left}px`);
    document.body.style.setProperty('--below', `${free.below}px`);
}

function openPanel(isOpen) {
    element('panel').classList.toggle('closed', !isOpen);
    element('toggle').textContent = isOpen ? '▾' : '▴';
    element('toggle').setAttribute('aria-expanded', isOpen);
}

// --- The picture's size, which follows the machine's speed --------------------------------------

const size = {scale: 1, width: 0, height: 0, textScale: 1};
const speed = {slow: 0, fast: 0, frames: 0};

function fitPicture() {
    const ratio = Math.min(devicePixelRatio || 1, 2) * size.scale;
    size.width = Math.max(64, Math.round(innerWidth * ratio));
    size.height = Math.max(64, Math.round(innerHeight * ratio));
    size.textScale = ratio;
    if (canvas.width !== size.width || canvas.height !== size.height) {
        canvas.width = size.width;
        canvas.height = size.height;
    }
}

// Fewer pixels where frames take long; shadows go where that is not enough.
function followSpeed(acre, milliseconds) {
    if (++speed.frames < 4 || document.hidden) {
        return;
    }
    speed.slow = milliseconds > 50 ? speed.slow + 1 : 0;
    if (speed.slow < 6 || size.isFixed) {
        return;
    }
    speed.slow = 0;
    if (size.scale > 0.45) {
        size.scale *= 0.75;
    } else if (milliseconds > 120 && !speed.isPlain) {
        speed.isPlain = true;
        acre.setShadows(false);
    }
}

// --- Mouse, fingers, keys -------------------------------------------------------------------

// GLFW's numbers, which the viewer speaks.
function keyNumber(event) {
    const code = event.code;
    if (/^Key[A-Z]$/.test(code)) return code.charCodeAt(3);
    if (/^Digit[0-9]$/.test(code)) return code.charCodeAt(5);
    return {Space: 32, Period: 46, F1: 290, ArrowUp: 87, ArrowDown: 83, ArrowLeft: 65,
            ArrowRight: 68}[code] ?? -1;
}

function listenToKeys(acre) {
    const isTyping = (event) => event.target.closest?.('input, select, button, summary');
    addEventListener('keydown', (event) => {
        const key = keyNumber(event);
        if (key < 0 || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
        event.preventDefault();
        if (key === 80) { // P
            if (!event.repeat) openPanel(element('panel').classList.contains('closed'));
            return;
        }
        acre.key(key, true, event.shiftKey);
    });
    addEventListener('keyup', (event) => acre.key(keyNumber(event), false, event.shiftKey));
    addEventListener('blur', () => {
        for (let key = 32; key < 348; key++) acre.key(key, false, false);
    });
    for (const button of element('pad').children) {
        const press = (isDown) => (event) => {
            event.preventDefault();
            acre.key(Number(button.dataset.key), isDown, false);
        };
        button.onpointerdown = press(true);
        button.onpointerup = button.onpointercancel = button.onpointerleave = press(false);
    }
}

// Two fingers turn the view and come nearer, as the right button and the wheel do.
function listenToPointers(acre) {
    const down = new Map(); // the pointers that are down, by number
    const buttons = [0, 2, 1]; // left, middle, right as the viewer counts them
    const at = (event) => [event.clientX * size.width / innerWidth, event.clientY * size.height / innerHeight];
    const middle = () => {
        const all = [...down.values()];
        return [0, 1].map((k) => all.reduce((sum, p) => sum + p[k], 0) / all.length);
    };
    const spread = () => {
        const [a, b] = [...down.values()];
        return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    canvas.addEventListener('pointerdown', (event) => {
        canvas.focus({preventScroll: true});
        canvas.setPointerCapture(event.pointerId);
        down.set(event.pointerId, at(event));
        acre.pointer(...middle(), event.pointerType !== 'mouse' || down.size > 1);
        if (down.size === 2) {
            acre.button(0, false);
            acre.button(1, true);
        } else if (down.size === 1) {
            acre.button(buttons[event.button] ?? 0, true);
        }
    });
    canvas.addEventListener('pointermove', (event) => {
        if (event.pointerType !== 'mouse' && !down.has(event.pointerId)) return;
        const before = down.size === 2 ? spread() : 0;
        if (down.has(event.pointerId)) down.set(event.pointerId, at(event));
        if (down.size === 2 && before > 0) acre.wheel(Math.log(spread() / before) / -Math.log(0.9));
        acre.pointer(...(down.size ? middle() : at(event)), false);
    });
    const up = (event) => {
        if (!down.delete(event.pointerId)) return;
        for (let i = 0; i < 3; i++) acre.button(i, false);
        if (down.size === 1) { // a finger that stays begins anew
            acre.pointer(...middle(), true);
        }
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
        acre.wheel(-event.deltaY / unit);
    }, {passive: false});
}

// --- From the start on ----------------------------------------------------------------------

function functionsOf(module) {
    return {
        open: module.cwrap('page_open', 'string', ['number', 'number', 'number', 'number', 'string', 'boolean']),
        frame: module.cwrap('page_frame', 'string', Array(6).fill('number')),
        key: module.cwrap('page_key', null, ['number', 'boolean', 'boolean']),
        pointer: module.cwrap('page_pointer', null, ['number', 'number', 'boolean']),
        button: module.cwrap('page_button', null, ['number', 'boolean']),
        wheel: module.cwrap('page_wheel', null, ['number']),
        panel: module.cwrap('page_panel', 'string', []),
        texts: module.cwrap('page_texts', 'string', []),
        set: module.cwrap('page_set', null, ['number', 'number']),
        setShadows: module.cwrap('page_set_shadows', null, ['boolean']),
        numbers: module.cwrap('page_numbers', 'string', []),
        state: module.cwrap('page_state', 'string', []),
    };
}

// A processor that draws takes three times as long for four samples a pixel.
function isSoftwareDriver() {
    const gl = document.createElement('canvas').getContext('webgl2');
    const info = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function run(acre) {
    let last = performance.now(), panelAt = 0;
    const draw = (now) => {
        requestAnimationFrame(draw);
        if (acre.isLost) return;
        fitPicture();
        const seconds = Math.min(Math.max(now - last, 0) / 1000, 0.25);
        followSpeed(acre, now - last);
        last = now;
        const free = covered();
        const fault = acre.frame(seconds, size.width, size.height, size.textScale, free.left, free.below);
        if (fault) {
            acre.isLost = true;
            say(fault);
            return;
        }
        showTexts(acre, free);
        if (now > panelAt) {
            panelAt = now + 120;
            showPanel(acre);
        }
    };
    requestAnimationFrame(draw);
}

async function start() {
    const words = addressWords();
    const module = await makeModule(make_acre_page, {canvas});
    const acre = functionsOf(module);
    const file = await unpack('file');
    if (file) {
        const room = module.ccall('page_room', 'number', ['number'], [file.length]);
        module.HEAPU8.set(file, room); // after the call, which may have moved the memory
    }
    if (words.has('scale')) { // tests and slow machines: a share of the screen's pixels
        size.scale = Number(words.get('scale')) || 1;
        size.isFixed = true;
    }
    fitPicture();
    const isSoftware = isSoftwareDriver();
    const fault = acre.open(size.width, size.height, isSoftware ? 1 : 4, Number(words.get('cars') ?? 4000),
                            words.get('sample') ?? '', isSoftware);
    if (fault) {
        throw new Error(fault);
    }
    if (words.has('flat')) {
        acre.setShadows(false);
    }
    globalThis.acre = acre; // for tests, and for whoever opens the console
    canvas.addEventListener('webglcontextlost', (event) => {
        event.preventDefault();
        acre.isLost = true;
        say('The graphics driver has stopped. Load the page anew.');
    });
    listenToKeys(acre);
    listenToPointers(acre);
    element('toggle').onclick = () => openPanel(element('panel').classList.contains('closed'));
    openPanel(innerWidth > 640);
    showLinks();
    if (file) {
        const numbers = element('numbers');
        numbers.hidden = false;
        numbers.ontoggle = () => { if (numbers.open && !element('rows').childElementCount) showNumbers(acre); };
    }
    say('');
    run(acre);
}

start().catch((error) => say(error.message));
