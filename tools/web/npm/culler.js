// SPDX-License-Identifier: MIT
// culler.js - Culler: entities with a hierarchy, and queries for those that are visible.
import {Room, Searched, checkNames, kept, numbersOf, spoken} from './core.js';
import {WORDS, checkOccluders, occluderWords} from './occluders.js';

const HIDDEN = 1, STATIC = 2, NEVER_CULL = 4;
const ENTITY_OPTIONS = ['parent', 'bounds', 'layers', 'matrix', 'translation', 'rotation', 'scale', 'isHidden',
    'isStatic', 'isNeverCulled'];
const flagsOf = ({isHidden = false, isStatic = false, isNeverCulled = false} = {}) =>
    (isHidden ? HIDDEN : 0) | (isStatic ? STATIC : 0) | (isNeverCulled ? NEVER_CULL : 0);
// An entity is a number: slot + 1 in the low 32 bits, its generation above them.
const low = (entity) => entity >>> 0, high = (entity) => Math.floor(entity / 2 ** 32);

export class Culler extends Searched {
    constructor(acre, def = {}) {
        super(acre, 'culler', def, 'entityCapacity');
        this.matrices = new Room(acre);
    }

    dispose() {
        super.dispose();
        this.matrices.free();
    }

    static slotOf(entity) {
        return low(entity) - 1;
    }

    // A call about an entity.
    entity(name, entity, ...values) {
        this.live(name);
        const result = this.acre.calls[`npm_entity_${name}`](this.at, low(entity), high(entity), ...values);
        this.check(result, spoken(name));
    }

    transform(call, {translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1]}) {
        return this.put(call, 10, translation, rotation, scale);
    }

    create({parent = 0, bounds, layers = 0, matrix, ...rest} = {}) {
        this.live('create');
        const {acre} = this;
        checkNames('culler.create', rest, ENTITY_OPTIONS);
        const local = this.transform('create', rest), box = acre.scratch + 64;
        [matrix, bounds] = [numbersOf(matrix), numbersOf(bounds)];
        if (matrix && matrix.length !== 16) throw this.invalid('create', 'a matrix has 16 numbers');
        if (matrix) matrix = kept(acre, matrix);
        if (bounds) {
            if (bounds.length !== 6) throw this.invalid('create', 'bounds are six numbers');
            acre.floats(box, 6).set(bounds);
        }
        const result = acre.calls.npm_entity_create(this.at, low(parent), high(parent), local, bounds ? box : 0,
            this.mask('create', layers), flagsOf(rest), acre.out);
        this.check(result, 'create');
        const [index1, generation] = acre.words(acre.out, 2), made = index1 + generation * 2 ** 32;
        if (matrix) {
            try {
                this.setMatrix(made, matrix);
            } catch (error) {
                this.destroy(made);
                throw error;
            }
        }
        return made;
    }

    destroy(entity) {
        this.entity('destroy', entity);
    }

    isAlive(entity) {
        return this.at !== 0 && this.acre.calls.npm_entity_is_alive(this.at, low(entity), high(entity)) !== 0;
    }

    setParent(entity, parent) {
        this.entity('set_parent', entity, low(parent), high(parent));
    }

    setTransform(entity, transform) {
        this.entity('set_local', entity, this.transform('setTransform', transform));
    }

    setMatrix(entity, matrix) {
        this.entity('set_matrix', entity, this.put('setMatrix', 16, matrix));
    }

    setTransforms(entities, transforms) {
        this.live('setTransforms');
        const {acre} = this, count = entities.length;
        if (transforms.length !== 10 * count) throw this.invalid('setTransforms', 'ten numbers for each entity');
        [entities, transforms] = [kept(acre, entities), kept(acre, transforms)];
        const room = this.rows.need(Math.max(48 * count, 8), `${this.kind}.setTransforms`);
        const handles = acre.words(room, 2 * count);
        for (let i = 0; i < count; i++) {
            handles[2 * i] = low(entities[i]);
            handles[2 * i + 1] = high(entities[i]);
        }
        acre.floats(room + 8 * count, 10 * count).set(transforms);
        const result = acre.calls.npm_entity_set_locals(this.at, room, room + 8 * count, count, acre.out);
        const [refused, firstRow] = acre.words(acre.out, 2);
        this.check(result, 'setTransforms', {refused, firstRow});
    }

    setBounds(entity, bounds) {
        this.entity('set_bounds', entity, bounds ? this.put('setBounds', 6, bounds) : 0);
    }

    setFlags(entity, flags) {
        this.entity('set_flags', entity, flagsOf(flags));
    }

    setLayers(entity, layers) {
        this.entity('set_layers', entity, this.mask('setLayers', layers));
    }

    // What an entity hides others with, in its own space.
    setOccluders(entity, occluders) {
        this.live('setOccluders');
        const {acre} = this, call = 'culler.setOccluders', words = occluderWords(call, occluders);
        const at = this.rows.need(Math.max(4 * words.length, 8), call);
        acre.words(at, words.length).set(words);
        checkOccluders(acre, call, at, words.length / WORDS);
        this.entity('set_occluders', entity, at, words.length / WORDS);
    }

    layOccluders(call, exact) {
        if (exact) throw this.invalid(call, 'with a horizon there is no exact');
        return 0;
    }

    worldMatrix(entity) {
        this.entity('world_matrix', entity, this.acre.out);
        return this.acre.floats(this.acre.out, 16);
    }

    worldBox(entity) {
        this.entity('world_bounds', entity, this.acre.out);
        return this.acre.floats(this.acre.out, 6);
    }

    entityAt(slot) {
        this.ask('entity', slot, this.acre.out);
        const [index1, generation] = this.acre.words(this.acre.out, 2);
        return index1 + generation * 2 ** 32;
    }

    commit() {
        this.run('commit');
    }

    // Slots that a query returned may be passed: they stand in this memory already. Its growth
    // detaches their view, but leaves them where they are.
    gatherMatrices(slots) {
        this.live('gatherMatrices');
        const {acre} = this, count = slots.length;
        const isHere = slots.buffer === acre.calls.memory.buffer;
        let from = slots.byteOffset;
        const matrices = this.matrices.need(Math.max(64 * count, 8), `${this.kind}.gatherMatrices`);
        if (!isHere) {
            from = this.ids.need(Math.max(4 * count, 8), `${this.kind}.gatherMatrices`);
            acre.words(from, count).set(slots);
        }
        this.run('gather', from, count, matrices);
        return acre.floats(matrices, 16 * count);
    }

    get stats() {
        this.ask('stats', this.acre.out);
        const [entities, moving, still, bytes] = this.acre.words(this.acre.out, 4);
        return {entities, moving, still, bytes};
    }
}
