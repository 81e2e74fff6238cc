/** Photoshop as far as the plug-in uses it, in memory: documents, layers, selection, the modal lock, history and image data. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Photoshop's 16 bits end at 32,768, unless the full range is asked for. */
type Samples = Uint8Array | Uint16Array;
const RANGE_16 = 32_768;
const FULL_RANGE_16 = 65_535;

const scaled = <Target extends Samples>(samples: Samples, target: Target, factor: number): Target => {
  for (let at = 0; at < samples.length; at++) target[at] = Math.round((samples[at] ?? 0) * factor);
  return target;
};
const emptyOf = (depth: number, length: number): Samples =>
  depth === 16 ? new Uint16Array(length) : new Uint8Array(length);
const depthOf = (samples: Samples): number => samples.BYTES_PER_ELEMENT * 8;

function inDepth(samples: Samples, depth: number): Samples {
  if (depthOf(samples) === depth) return samples;
  const factor = depth === 16 ? RANGE_16 / 255 : 255 / RANGE_16;
  return scaled(samples, emptyOf(depth, samples.length), factor);
}

export interface ImageData {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly samples: Samples;
}

class FakeError extends Error {
  readonly number: number;
  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}

let nextId = 1;

export class FakeLayer {
  readonly id = nextId++;
  name: string;
  layers: FakeLayer[] | undefined;
  /** RGBA of the whole document; transparent pixels are empty. */
  samples: Samples;
  mask: Samples | null = null;
  readonly document: FakeDocument;

  constructor(document: FakeDocument, name: string, samples?: Samples) {
    this.document = document;
    this.name = name;
    this.samples = samples ?? document.empty();
  }

  get boundsNoEffects(): Bounds {
    const { width, height } = this.document;
    return trimmed(this.samples, width, { left: 0, top: 0, right: width, bottom: height });
  }

  get selected(): boolean {
    return this.document.activeLayers.some(({ id }) => id === this.id);
  }

  set selected(selected: boolean) {
    this.document.host.requireModal();
    const others = this.document.activeLayers.filter(({ id }) => id !== this.id);
    this.document.activeLayers = selected ? [...others, this] : others;
  }

  move(other: FakeLayer, _placement: string): void {
    this.document.host.requireModal();
    const { layers } = this.document;
    layers.splice(layers.indexOf(this), 1);
    layers.splice(layers.indexOf(other), 0, this);
  }
}

/** The part of `bounds` that isn't transparent. */
function trimmed(samples: Samples, stride: number, bounds: Bounds): Bounds {
  const found = { left: bounds.right, top: bounds.bottom, right: bounds.left, bottom: bounds.top };
  for (let y = bounds.top; y < bounds.bottom; y++)
    for (let x = bounds.left; x < bounds.right; x++) {
      if (samples[(y * stride + x) * 4 + 3] === 0) continue;
      found.left = Math.min(found.left, x);
      found.top = Math.min(found.top, y);
      found.right = Math.max(found.right, x + 1);
      found.bottom = Math.max(found.bottom, y + 1);
    }
  return found.right > found.left ? found : { left: 0, top: 0, right: 0, bottom: 0 };
}

interface DocumentOptions {
  width: number;
  height: number;
  name: string;
  depth?: 8 | 16;
  /** That of a document that was never saved is its name. */
  path?: string;
}

export class FakeDocument {
  readonly id = nextId++;
  readonly host: FakeHost;
  readonly width: number;
  readonly height: number;
  name: string;
  mode = 'RGBColorMode';
  bitsPerChannel: string;
  colorProfileName = 'sRGB IEC61966-2.1';
  path: string;
  cloudDocument = false;
  layers: FakeLayer[] = [];
  activeLayers: FakeLayer[] = [];
  /** Gray samples of the document's size. */
  selected: Samples | null = null;
  /** Names of the steps, the newest last. */
  readonly history: string[] = [];
  private readonly undoStates: FakeLayer[][] = [];
  private suspended: { name: string; before: FakeLayer[] } | null = null;

  constructor(host: FakeHost, { width, height, name, depth = 8, path = name }: DocumentOptions) {
    this.bitsPerChannel = `bitDepth${depth}`;
    this.path = path;
    this.host = host;
    this.width = width;
    this.height = height;
    this.name = name;
  }

  get selection(): { bounds: Bounds | null } {
    if (!this.selected) return { bounds: null };
    const rgba = Uint8Array.from({ length: this.selected.length * 4 }, (_, at) => this.selected?.[at >> 2] ?? 0);
    return { bounds: trimmed(rgba, this.width, { left: 0, top: 0, right: this.width, bottom: this.height }) };
  }

  /** Of the pixels of its layers and their earlier states. */
  get bytes(): number {
    const states = [this.layers, this.suspended?.before ?? [], ...this.undoStates];
    const buffers = new Set(states.flat().flatMap(({ samples, mask }) => (mask ? [samples, mask] : [samples])));
    return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** RGBA of its size, transparent. */
  empty(): Samples {
    return emptyOf(this.bitsPerChannel === 'bitDepth16' ? 16 : 8, this.width * this.height * 4);
  }

  addLayer(name: string, paint: (x: number, y: number) => readonly number[]): FakeLayer {
    const samples = this.empty();
    for (let y = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++) samples.set(paint(x, y), (y * this.width + x) * 4);
    const layer = new FakeLayer(this, name, samples);
    this.layers.unshift(layer);
    this.activeLayers = [layer];
    return layer;
  }

  async createPixelLayer({ name }: { name: string }): Promise<FakeLayer> {
    this.host.requireModal();
    this.step('Layer');
    const layer = new FakeLayer(this, name);
    this.layers.unshift(layer);
    this.activeLayers = [layer];
    return layer;
  }

  /** Before a change; inside of a suspension there is one step for all. */
  step(name: string): void {
    if (this.suspended) return;
    this.undoStates.push(this.copied());
    this.history.push(name);
  }

  suspend(name: string): void {
    this.suspended = { name, before: this.copied() };
  }

  resume(isCommitted: boolean): void {
    const { suspended } = this;
    this.suspended = null;
    if (!suspended) return;
    if (!isCommitted) {
      this.restore(suspended.before);
      return;
    }
    this.undoStates.push(suspended.before);
    this.history.push(suspended.name);
  }

  undo(): void {
    this.restore(this.undoStates.pop() ?? this.layers);
    this.history.pop();
  }

  private restore(layers: FakeLayer[]): void {
    this.layers = layers;
    this.activeLayers = layers.filter((layer) => layer.selected);
  }

  private copied(): FakeLayer[] {
    return this.layers.map((layer) =>
      Object.assign(Object.create(FakeLayer.prototype) as FakeLayer, layer, { samples: layer.samples.slice() }),
    );
  }
}

export interface File {
  content: string | ArrayBuffer;
}

export class FakeHost {
  documents: FakeDocument[] = [];
  activeDocument: FakeDocument | null = null;
  /** Image data that wasn't disposed of. */
  undisposed = 0;
  isModal = false;
  /** Another plug-in is modal. */
  isBusy = false;
  uiLocale = 'en_US';
  userId = '';
  readonly secrets = new Map<string, Uint8Array>();
  readonly files = new Map<string, File>();
  /** What the folder picker answers, in turn. */
  readonly folders: Map<string, File>[] = [];
  readonly folderTokens = new Map<string, Map<string, File>>();
  readonly opened: string[] = [];
  readonly alerts: string[] = [];
  readonly listeners: (() => void)[] = [];
  entrypoints: {
    panels: Record<string, { show(): void }>;
    commands: Record<string, { run(): Promise<void> }>;
  } | null = null;

  open(options: DocumentOptions): FakeDocument {
    const document = new FakeDocument(this, options);
    this.documents.push(document);
    this.activeDocument = document;
    return document;
  }

  close(document: FakeDocument): void {
    this.documents = this.documents.filter((one) => one !== document);
    this.activeDocument = this.documents[0] ?? null;
  }

  requireModal(): void {
    if (!this.isModal) throw new FakeError(1, 'This may change the state of Photoshop outside of executeAsModal');
  }

  /** In base64. One gray pixel, unless a browser writes it. */
  jpegOf = (_image: ImageData): string => GRAY_JPEG;

  document(id: number): FakeDocument {
    const document = this.documents.find((one) => one.id === id);
    if (!document) throw new FakeError(-1715, `no document ${id}`);
    return document;
  }

  imageData(image: ImageData) {
    this.undisposed++;
    let isDisposed = false;
    return {
      ...image,
      getData: async ({ fullRange = false } = {}) => {
        if (isDisposed) throw new Error('disposed');
        const { samples } = image;
        if (samples instanceof Uint8Array || !fullRange) return samples;
        return scaled(samples, new Uint16Array(samples.length), FULL_RANGE_16 / RANGE_16);
      },
      dispose: () => {
        if (!isDisposed) this.undisposed--;
        isDisposed = true;
      },
    };
  }
}

const cut = (samples: Samples, stride: number, channels: number, { left, top, right, bottom }: Bounds): Samples => {
  const width = right - left;
  const part = emptyOf(depthOf(samples), width * (bottom - top) * channels);
  for (let y = top; y < bottom; y++)
    part.set(
      samples.subarray((y * stride + left) * channels, (y * stride + right) * channels),
      (y - top) * width * channels,
    );
  return part;
};

const GRAY_JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z';

/** The module `photoshop` of a host. */
export function photoshopOf(host: FakeHost) {
  const merged = (document: FakeDocument): Samples => {
    const all = document.empty();
    for (const layer of [...document.layers].reverse())
      for (let at = 0; at < all.length; at += 4)
        if ((layer.samples[at + 3] ?? 0) > 0) all.set(layer.samples.subarray(at, at + 4), at);
    return all;
  };
  type Write = {
    documentID: number;
    layerID: number;
    imageData: ImageData;
    targetBounds: { left: number; top: number };
  };
  const layerOf = ({ documentID, layerID }: { documentID: number; layerID: number }): FakeLayer => {
    const layer = host.document(documentID).layers.find(({ id }) => id === layerID);
    if (!layer) throw new FakeError(-1715, `no layer ${layerID}`);
    return layer;
  };
  const write = (target: Samples, stride: number, channels: number, { imageData, targetBounds }: Write) => {
    const own = inDepth(imageData.samples, depthOf(target));
    for (let y = 0; y < imageData.height; y++)
      target.set(
        own.subarray(y * imageData.width * channels, (y + 1) * imageData.width * channels),
        ((y + targetBounds.top) * stride + targetBounds.left) * channels,
      );
  };
  return {
    app: {
      get documents() {
        return host.documents;
      },
      get activeDocument() {
        return host.activeDocument;
      },
      set activeDocument(document) {
        host.requireModal();
        host.activeDocument = document;
      },
      async createDocument(options: { width: number; height: number; name: string }) {
        host.requireModal();
        const document = host.open(options);
        document.addLayer('Layer 1', () => [0, 0, 0, 0]);
        return document;
      },
    },
    constants: {
      ElementPlacement: { PLACEBEFORE: 'placeBefore' },
      NewDocumentMode: { RGB: 'RGBColorMode' },
      DocumentFill: { TRANSPARENT: 'transparent' },
    },
    core: {
      async executeAsModal<Result>(work: (context: object) => Promise<Result>): Promise<Result> {
        if (host.isBusy || host.isModal) throw new FakeError(9, 'The host is in a modal state');
        host.isModal = true;
        try {
          return await work({
            hostControl: {
              suspendHistory: async ({ documentID, name }: { documentID: number; name: string }) => {
                host.document(documentID).suspend(name);
                return documentID;
              },
              resumeHistory: async (id: number, isCommitted: boolean) => host.document(id).resume(isCommitted),
            },
          });
        } finally {
          host.isModal = false;
        }
      },
      showAlert: async ({ message }: { message: string }) => {
        host.alerts.push(message);
      },
    },
    action: {
      addNotificationListener: async (_events: readonly string[], listener: () => void) => {
        host.listeners.push(listener);
      },
    },
    imaging: {
      async getPixels(options: { documentID: number; layerID?: number; sourceBounds: Bounds; componentSize: number }) {
        host.requireModal();
        const document = host.document(options.documentID);
        const { layerID } = options;
        const samples =
          layerID === undefined ? merged(document) : layerOf({ documentID: options.documentID, layerID }).samples;
        const bounds = trimmed(samples, document.width, options.sourceBounds);
        const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
        const part = inDepth(cut(samples, document.width, 4, bounds), options.componentSize);
        const image = { width, height, components: 4, samples: part };
        return { imageData: host.imageData(image), sourceBounds: bounds };
      },
      async getSelection(options: { documentID: number; sourceBounds: Bounds }) {
        host.requireModal();
        const { selected, width: stride } = host.document(options.documentID);
        if (!selected) throw new FakeError(-128, 'no selection');
        const { left, top, right, bottom } = options.sourceBounds;
        const image = { width: right - left, height: bottom - top, components: 1 };
        const samples = cut(selected, stride, 1, options.sourceBounds);
        return { imageData: host.imageData({ ...image, samples }), sourceBounds: options.sourceBounds };
      },
      async createImageDataFromBuffer(
        samples: Samples,
        options: { width: number; height: number; components: number; fullRange?: boolean },
      ) {
        const { width, height, components, fullRange = false } = options;
        if (samples.length !== width * height * components) throw new Error('the buffer has another size');
        const isFull = samples instanceof Uint16Array && fullRange;
        const own = isFull ? scaled(samples, new Uint16Array(samples.length), RANGE_16 / FULL_RANGE_16) : samples;
        return host.imageData({ width, height, components, samples: own });
      },
      async putPixels(options: Write) {
        host.requireModal();
        const layer = layerOf(options);
        layer.document.step('Put pixels');
        write(layer.samples, layer.document.width, 4, options);
      },
      async putLayerMask(options: Write) {
        host.requireModal();
        const layer = layerOf(options);
        layer.document.step('Put mask');
        layer.mask = new Uint8Array(layer.document.width * layer.document.height);
        write(layer.mask, layer.document.width, 1, options);
      },
      encodeImageData: async ({ imageData, base64 }: { imageData: ImageData; base64?: boolean }) =>
        base64 ? host.jpegOf(imageData) : Array.from(atob(host.jpegOf(imageData)), (letter) => letter.charCodeAt(0)),
    },
  };
}

export interface Folder {
  readonly files: Map<string, File>;
}

function folderOf(files: Map<string, File>, name: string) {
  const entry = (key: string) => ({
    name: key,
    isFile: true,
    read: async () => {
      const file = files.get(key);
      if (!file) throw new Error(`no file ${key}`);
      return file.content;
    },
    write: async (content: string | ArrayBuffer) => {
      files.set(key, { content });
      return 0;
    },
  });
  return {
    files,
    name,
    getEntries: async () => [...files.keys()].map(entry),
    getEntry: async (key: string) => {
      if (!files.has(key)) throw new Error(`no file ${key}`);
      return entry(key);
    },
    createFile: async (key: string) => entry(key),
  };
}

/** The module `uxp` of a host. */
export function uxpOf(host: FakeHost) {
  return {
    storage: {
      secureStorage: {
        setItem: async (key: string, value: string) => {
          host.secrets.set(
            key,
            Uint8Array.from(value, (letter) => letter.charCodeAt(0)),
          );
        },
        getItem: async (key: string) => host.secrets.get(key) ?? null,
        removeItem: async (key: string) => {
          host.secrets.delete(key);
        },
      },
      formats: { binary: Symbol('binary') },
      localFileSystem: {
        getDataFolder: async () => folderOf(host.files, 'data'),
        getFolder: async () => {
          const files = host.folders.shift();
          return files ? folderOf(files, 'folder') : null;
        },
        createPersistentToken: async ({ files }: Folder) => {
          const token = `token-${host.folderTokens.size}`;
          host.folderTokens.set(token, files);
          return token;
        },
        getEntryForPersistentToken: async (token: string) => {
          const files = host.folderTokens.get(token);
          if (!files) throw new Error(`no folder ${token}`);
          return folderOf(files, 'folder');
        },
      },
    },
    get host() {
      return { uiLocale: host.uiLocale };
    },
    versions: { plugin: '1.0.0' },
    shell: {
      openExternal: async (url: string) => {
        host.opened.push(url);
      },
    },
    userInfo: { userId: () => host.userId },
    entrypoints: {
      setup: (setup: NonNullable<FakeHost['entrypoints']>) => {
        host.entrypoints = setup;
      },
    },
  };
}
