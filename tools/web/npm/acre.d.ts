// SPDX-License-Identifier: MIT
// acre.d.ts - Acre for scripts, its types.
//
// Typed arrays that calls return, and those of accessors, are views into the module's memory. They
// are valid until the next call of any object of the same Acre, because memory may grow; accessors
// make them anew. Copy what you keep. A call that Acre refuses throws an AcreError and changes
// nothing; a batch refuses single rows, applies the others, and then throws. An option that is not
// known is refused, and the message says which one may be meant.

/** Three numbers: x, y, z; or a Vector3. The ground is x/z, y is up. */
export type Point = ArrayLike<number> | { x: number, y: number, z: number };
/** Six numbers: the smallest corner x, y, z, then the largest; or a Box3. */
export type Box = ArrayLike<number> | { min: { x: number, y: number, z: number }, max: { x: number, y: number, z: number } };
/** Sixteen numbers, column by column; or a Matrix4. */
export type Matrix = ArrayLike<number> | { elements: ArrayLike<number> };
/** A Ray. */
export interface RayLike { origin: Point; direction: Point; }
/** How a projection maps depth from near to far: WebGL, WebGPU, or reversed. */
export type Clip = '-1..1' | '0..1' | '1..0';

export interface LoadOptions {
    /** Default: whether the engine has SIMD. */
    simd?: boolean;
    /** The module itself, or where it is; default: beside this file. */
    wasm?: string | URL | ArrayBuffer | ArrayBufferView;
}

/** Loads a module with a memory of its own. */
export function load(options?: LoadOptions): Promise<Acre>;

export class Acre {
    private constructor();
    readonly simd: boolean;
    readonly version: string;
    readonly memoryBytes: number;
}

export type ErrorCode = 'INVALID_ARGUMENT' | 'OUT_OF_MEMORY' | 'CAPACITY' | 'STALE_HANDLE' | 'EXISTS' | 'NOT_FOUND' |
    'BUSY' | 'IO' | 'FORMAT' | 'NOT_COMMITTED' | 'DIFFERS' | 'UNKNOWN';

/** Its message names the call and says what was wrong: "tree.insert: it exists already". */
export class AcreError extends Error {
    private constructor();
    readonly code: ErrorCode;
    /** What a batch refused: how many rows, and the first of them. */
    readonly report?: { refused: number, firstRow: number };
}

export interface QueryOptions {
    /** Finds only what shares a bit; 0, the default: everything. */
    layers?: number;
    /** Frustums: drops boxes that touch no point of the volume. */
    exact?: boolean;
    /** Sorts by number. */
    sorted?: boolean;
}
export interface Hit { id: number; distance: number; }

export interface TreeOptions {
    /** x, z of the middle of the world; default 0, 0. */
    center?: ArrayLike<number>;
    /** Half the side of a square around the world; default 1024. */
    halfSize?: number;
    maxDepth?: number;
    nodeCapacity?: number;
}

/** What Tree and Culler share. Results are item numbers of a tree, slots of a culler. */
declare class Searched {
    readonly isDisposed: boolean;
    /** Frees its memory. Every later call throws. */
    dispose(): void;
    /**
     * @param viewProjection 16 numbers, column by column. The clip is '-1..1' unless you say so. With a horizon, what is
     * surely hidden behind occluders of what is found is left out; it begins anew at the eye of the view.
     */
    queryFrustum(viewProjection: Matrix, options?: QueryOptions & { clip?: Clip, horizon?: Horizon }): Uint32Array;
    /** @param planes up to 16 times nx, ny, nz, d; inside is where n.p + d >= 0. */
    queryPlanes(planes: ArrayLike<number>, options?: QueryOptions): Uint32Array;
    queryAll(options?: QueryOptions): Uint32Array;
    queryBox(box: Box, options?: QueryOptions): Uint32Array;
    queryPoint(point: Point, options?: QueryOptions): Uint32Array;
    querySphere(center: Point, radius: number, options?: QueryOptions): Uint32Array;
    /** A circle on the ground, at any height; the center is x, z. */
    queryCircle(center: ArrayLike<number>, radius: number, options?: QueryOptions): Uint32Array;
    queryCapsule(from: Point, to: Point, radius: number, options?: QueryOptions): Uint32Array;
    /** With a half size, a box that moves along the ray. */
    queryRay(origin: Point, direction: Point, options?: QueryOptions & { length?: number, halfSize?: Point }): Uint32Array;
    queryRay(ray: RayLike, options?: QueryOptions & { length?: number, halfSize?: Point }): Uint32Array;
    /**
     * The nearest to a point, nearest first; of equally near ones the smaller number. maxDistance:
     * nothing farther; 0, the default: no limit.
     */
    nearest(point: Point, count: number, options?: { layers?: number, maxDistance?: number }): Hit[];
    /** The first that a ray hits, nearest first. */
    firstHits(origin: Point, direction: Point, count: number,
        options?: { layers?: number, length?: number, maxDistance?: number }): Hit[];
    firstHits(ray: RayLike, count: number, options?: { layers?: number, length?: number, maxDistance?: number }): Hit[];
    /** Puts everything in the order in which queries are fastest; after loading or long churn. */
    optimize(): void;
    /** Checks every invariant, and throws the one that is broken. */
    validate(): void;
}

/**
 * A vertical prism that is solid inside, and lies within what is drawn opaque: a larger one hides what is visible. Or a box
 * that is solid everywhere, such as a wall: the bounds of an object are none, as one sees past it through their corners.
 */
export type Occluder = Box | {
    /** Three to eight corners of a convex footprint: x and z of each. */
    points: ArrayLike<number> | ArrayLike<ArrayLike<number> | { x: number, y: number }>;
    /** Where it ends below; default -Infinity: nothing shows below it, as under a house that stands on the ground. */
    bottom?: number;
    top: number;
    /** It is drawn from inside, too; else it hides nothing while the eye is in the box of its object. */
    isTwoSided?: boolean;
};

/**
 * What is surely hidden behind occluders, from an eye or from every eye of a region. A query that is given it begins it
 * and fills it by itself. By hand: begin, add near ones first, then ask.
 */
export class Horizon {
    /**
     * columns: of each of the four sides around the eye, a multiple of 16 up to 4096; default 512. region: half the size of
     * the box of places around the eye of a view from which nothing visible may be lost, such as those of two eyes.
     */
    constructor(acre: Acre, options?: { columns?: number, region?: Point });
    /** Empties it for the eye of a view. A parallel projection has none: nothing is hidden from it. */
    begin(viewProjection: Matrix, options?: { clip?: Clip }): this;
    /** nearRadius: from the eye to the farthest corner of the near plane; occluders that come nearer are left out. */
    beginAt(eye: Point, nearRadius?: number): this;
    add(...occluders: Occluder[]): this;
    hides(box: Box): boolean;
    /** Of the last query. gaveUp: it does not pay here, so that nothing was hidden. */
    readonly stats: { asked: number, dropped: number, kept: number, occluders: number, gaveUp: boolean };
    dispose(): void;
}

/** A loose quadtree of items, numbers from 0 on, and their boxes. */
export class Tree extends Searched {
    constructor(acre: Acre, options?: TreeOptions & { itemCapacity?: number });
    /** Makes room for the items below count, in the tree and in boxes. */
    reserve(count: number): void;
    /** A row of six numbers for each reserved item: write boxes here, then call insertAll or refreshAll. */
    readonly boxes: Float32Array;
    insert(item: number, box: Box): void;
    refresh(item: number, box: Box): void;
    remove(item: number): void;
    /**
     * What an item hides others with, in the place of what it had; [] for nothing. Within the item's box, where it counts:
     * set them again when the item has moved. They go when it is removed.
     */
    setOccluders(item: number, occluders: Occluder[]): void;
    insertMany(items: ArrayLike<number>, boxes: ArrayLike<number>): void;
    refreshMany(items: ArrayLike<number>, boxes: ArrayLike<number>): void;
    removeMany(items: ArrayLike<number>): void;
    /** Inserts every reserved item with its row of boxes. */
    insertAll(): void;
    /** Gives the tree's items below count their rows of boxes. */
    refreshAll(count?: number): void;
    clear(): void;
    /** Once a frame: keeps queries fast. */
    maintain(): void;
    has(item: number): boolean;
    box(item: number): Float32Array;
    setLayers(item: number, layers: number): void;
    /** The bits that setLayers gave it; all at first. 0 for an item that is not there. */
    layers(item: number): number;
    /**
     * The neighbors of many rows at once: row i is about items[i], about a sphere of x, y, z and radius, or,
     * without both, about item i of all reserved ones. Those of row i are `items` from first[i] on, count[i] of
     * them. nearest: so many at most, the nearest first; rowLayers: a mask for each row.
     */
    neighbors(radius: number, options?: { items?: ArrayLike<number>, spheres?: ArrayLike<number>,
        rowLayers?: ArrayLike<number>, nearest?: number, layers?: number, isOnGround?: boolean, withDistances?: boolean }):
        { first: Uint32Array, count: Uint32Array, items: Uint32Array, distances?: Float32Array };
    /** Pairs of items whose boxes touch, two numbers each; with another tree of the same Acre, of one of each. */
    pairs(other?: Tree): Uint32Array;
    /** Equal after equal calls, on every machine. */
    readonly stateHash: bigint;
    readonly stats: { items: number, nodes: number, leaves: number, depth: number, outliers: number, bytes: number };
}

/** A handle; 0 is none. A stale one is refused. */
export type Entity = number;
/** What is left out neither moves, nor turns, nor scales. */
export interface Transform {
    translation?: Point;
    /** A unit quaternion x, y, z, w. */
    rotation?: ArrayLike<number>;
    scale?: Point;
}
export interface EntityFlags {
    isHidden?: boolean;
    /** A promise: it rarely moves. */
    isStatic?: boolean;
    isNeverCulled?: boolean;
}
export interface EntityOptions extends Transform, EntityFlags {
    parent?: Entity;
    /** In place of the transform: 16 numbers, column by column, affine. */
    matrix?: Matrix;
    /** The box before the entity's transform; without it there is nothing to cull. */
    bounds?: Box;
    layers?: number;
}

/** Entities with a hierarchy, and queries for those that are visible. Edits are seen after commit. */
export class Culler extends Searched {
    constructor(acre: Acre, options?: TreeOptions & { entityCapacity?: number });
    /** The number that queries return for an entity. */
    static slotOf(entity: Entity): number;
    create(options?: EntityOptions): Entity;
    destroy(entity: Entity): void;
    isAlive(entity: Entity): boolean;
    setParent(entity: Entity, parent: Entity): void;
    setTransform(entity: Entity, transform: Transform): void;
    setMatrix(entity: Entity, matrix: Matrix): void;
    /** Ten numbers for each entity: translation, rotation, scale. */
    setTransforms(entities: ArrayLike<Entity>, transforms: ArrayLike<number>): void;
    setBounds(entity: Entity, bounds: Box | null): void;
    /** Replaces all flags. */
    setFlags(entity: Entity, flags: EntityFlags): void;
    setLayers(entity: Entity, layers: number): void;
    /** What an entity hides others with, in its own space; they move with it. At most 32; [] for nothing. */
    setOccluders(entity: Entity, occluders: Occluder[]): void;
    /** Once a frame: applies the edits. */
    commit(): void;
    worldMatrix(entity: Entity): Float32Array;
    worldBox(entity: Entity): Float32Array;
    entityAt(slot: number): Entity;
    /** World matrices of slots, 16 numbers each, as an instance buffer wants them. */
    gatherMatrices(slots: Uint32Array): Float32Array;
    readonly stats: { entities: number, moving: number, still: number, bytes: number };
}

/**
 * Instances of one shape: matrices in; the visible rows, their matrices and colors out. A row whose
 * matrix gives no finite box is hidden until it moves again: see badRows.
 */
export class Instances {
    constructor(acre: Acre, count: number, box: Box, options?: TreeOptions);
    readonly count: number;
    readonly tree: Tree;
    /** Grows with each change of a row that Instances are told. */
    readonly version: number;
    /** 16 numbers a row; write them, then call setMoved or setAllMoved. */
    readonly matrices: Float32Array;
    readonly colors: Float32Array;
    /** The box of a shape that is there, or of the next one; shape 0 is there from the start. */
    setBox(box: Box, shape?: number): void;
    /** Which shape a row has; 0 at first. */
    setShape(row: number, shape: number): void;
    /** More rows, which stand at the origin, or fewer. */
    resize(count: number): void;
    setMoved(row: number): void;
    setAllMoved(): void;
    /** Writes a matrix; the row has moved. */
    setMatrix(row: number, elements: ArrayLike<number>): void;
    /** A row that is not shown is in no answer. */
    setShown(row: number, isShown: boolean): void;
    isShown(row: number): boolean;
    /** Rows that are hidden because of their matrices, as of the last refresh or cull. */
    readonly badRows: Set<number>;
    /** Gives the tree the boxes of what moved; cull does so first. */
    refresh(): void;
    /** The box around all rows that are shown; null: there are none. */
    bounds(): number[] | null;
    /** What each row hides others with, before its matrix; for rows of one shape. */
    setOccluders(occluders: Occluder[]): void;
    /** Finds the rows that at least one of the views sees. A horizon is for one view. */
    cull(viewProjections: Matrix[], options?: QueryOptions & { clip?: Clip, horizon?: Horizon }): number;
    /** Copies the matrices, and the colors, of the visible rows to the arrays below. */
    gather(withColors: boolean): void;
    /**
     * Puts the visible rows in the order of their levels of detail: level k from starts[k] on. A level is the
     * number of limits, in pixels, that a row's size on the screen is below. last: the level of each visible
     * row when it was seen last, 255 for none; within the hysteresis, 0 to below 1, it is kept.
     * @return starts; rows as they were, and their levels
     */
    sortByLevel(last: ArrayLike<number>, sizes: { eye: Point, pixels: number, isParallel?: boolean, hysteresis?: number,
        limits: number[] }): { starts: Uint32Array, rows: Uint32Array, levels: Uint8Array };
    readonly visibleCount: number;
    readonly visible: Uint32Array;
    readonly visibleMatrices: Float32Array;
    readonly visibleColors: Float32Array;
    dispose(): void;
}

/** Rows of numbers: those of row i are `items` from first[i] on, count[i] of them. */
export interface Lists { first: Uint32Array; count: Uint32Array; items: Uint32Array; }

export interface Observer {
    /** Where it stands while it follows nothing; default 0, 0, 0. */
    place?: Point;
    /** An item that it follows, and does not see: it stands at the middle of its box. */
    item?: number;
    /** A thing at most this far away enters: the distance to the nearest point of its box. */
    enterRadius: number;
    /** A thing farther away leaves; default: enterRadius. */
    leaveRadius?: number;
    /** Sees only what shares a bit; 0, the default: everything. */
    layers?: number;
}

/** What each of many observers has in range. Its arrays are copies. */
export class Interest {
    /** isInSpace: distances are in space; else, as by default, on the ground, whatever the heights. */
    constructor(tree: Tree, options?: { isInSpace?: boolean });
    /** @return the observer's number, which is its row in lists; numbers of removed ones are given again */
    add(observer: Observer): number;
    /** What is left out stays as it was. */
    set(number: number, observer: Partial<Observer>): void;
    remove(number: number): void;
    /** Once a tick, after the tree was refreshed. Costs a look at what is near each observer. Rows ascend. */
    update(): { entered: Lists, left: Lists };
    /** What an observer saw in the last update. */
    seen(number: number): Uint32Array;
}

export interface SizedView {
    clip?: Clip;
    layers?: number;
    exact?: boolean;
    /** Where sizes are seen from. */
    eye?: Point;
    /** Pixels that a length of 1 covers at a distance of 1: height / (2 * tan(fov / 2)); where isParallel, anywhere. */
    pixels?: number;
    isParallel?: boolean;
}

/** What one camera sees of a tree, kept from frame to frame. Its arrays are copies. */
export class VisibleSet {
    /**
     * limits: falling sizes of boxes on the screen, in pixels along the diagonal: below the first the level is 1,
     * below the second 2. minPixels: smaller ones are left out. hysteresis: 0 to below 1; an item gets a coarser
     * level only below (1 - hysteresis) times the limit.
     */
    constructor(tree: Tree, options?: { limits?: number[], minPixels?: number, hysteresis?: number });
    /** eye and pixels are needed where there are limits. */
    find(viewProjection: Matrix, view?: SizedView): this;
    /** In the order of levels; those of level k from starts[k] on. */
    readonly visible: Uint32Array;
    readonly starts: Uint32Array;
    /** Visible now and not before, and the other way round. */
    readonly entered: Uint32Array;
    readonly left: Uint32Array;
    level(number: number): Uint32Array;
    /** In the next result everything has entered. */
    clear(): void;
    dispose(): void;
}

/**
 * What may throw a shadow on something in a view: all boxes from which a way of at most `distance` along the light
 * leads into it. splits: rising depths; then there is a slice between each two, as cascades have them.
 * @param light the direction in which it shines
 * @return items, or slots, of each slice: copies
 */
export function castersOf(where: Tree | Culler, viewProjection: Matrix, light: Point,
    options?: QueryOptions & { clip?: Clip, splits?: ArrayLike<number>, distance?: number }): Uint32Array[];

// Nothing else leaves the module: without this line every declaration of a .d.ts does.
export {};
