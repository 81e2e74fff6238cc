import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Box, crop, type RgbImage } from './rgb-image.ts';

const FOLDER = fileURLToPath(new URL('judge/', import.meta.url));
const MIN_CONFIDENCE = 0.6;
/** Height in pixels of the truth; smaller faces are not judged. */
const MIN_FACE_HEIGHT = 48;
const MAX_FACES = 8;
/** Smaller crops have no descriptor. */
const MIN_CROP = 4;

export interface JudgedFace {
  readonly box: Box;
  /** Crop of its descriptor. */
  readonly aligned: Box;
  readonly descriptor: Float32Array;
}

interface Tensor {
  dispose(): void;
}

interface Detection {
  readonly detection: { readonly box: Box };
  readonly alignedRect: { readonly box: Box };
  readonly descriptor: Float32Array;
}

/** Used parts of `@vladmandic/face-api`, installed beside this file, outside the workspace. */
interface FaceApi {
  readonly nets: Record<
    'ssdMobilenetv1' | 'faceLandmark68Net' | 'faceRecognitionNet',
    { loadFromDisk(folder: string): Promise<void> }
  >;
  readonly SsdMobilenetv1Options: new (options: { minConfidence: number; maxResults: number }) => object;
  detectAllFaces(
    input: Tensor,
    options: object,
  ): { withFaceLandmarks(): { withFaceDescriptors(): PromiseLike<Detection[]> } };
  computeFaceDescriptor(input: Tensor): Promise<Float32Array>;
}

interface TensorFlow {
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tensor3d(data: Uint8Array, shape: readonly [number, number, number], type: 'int32'): Tensor;
}

/**
 * Identity by FaceRecognitionNet (128 numbers a face; distances under 0.6 are the same person by its published
 * threshold). The product does not use it, so it judges independently. MIT, see the package.
 */
export class Judge {
  private readonly faceApi: FaceApi;
  private readonly tensorFlow: TensorFlow;

  private constructor(faceApi: FaceApi, tensorFlow: TensorFlow) {
    this.faceApi = faceApi;
    this.tensorFlow = tensorFlow;
  }

  static async open(): Promise<Judge> {
    const modules = path.join(FOLDER, 'node_modules');
    await access(modules).catch(() => promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER }));
    const load = createRequire(path.join(FOLDER, 'package.json'));
    const tensorFlow: TensorFlow = load('@tensorflow/tfjs');
    load('@tensorflow/tfjs-backend-wasm').setWasmPaths(`${modules}/@tensorflow/tfjs-backend-wasm/dist/`);
    await tensorFlow.setBackend('wasm');
    await tensorFlow.ready();
    const faceApi: FaceApi = load('@vladmandic/face-api/dist/face-api.node-wasm.js');
    const weights = path.join(modules, '@vladmandic/face-api/model');
    for (const net of Object.values({
      detector: faceApi.nets.ssdMobilenetv1,
      landmarks: faceApi.nets.faceLandmark68Net,
      recognition: faceApi.nets.faceRecognitionNet,
    })) {
      await net.loadFromDisk(weights);
    }
    return new Judge(faceApi, tensorFlow);
  }

  async facesIn(photo: RgbImage): Promise<JudgedFace[]> {
    const options = new this.faceApi.SsdMobilenetv1Options({ minConfidence: MIN_CONFIDENCE, maxResults: 60 });
    const found = await this.withTensor(photo, async (tensor) =>
      this.faceApi.detectAllFaces(tensor, options).withFaceLandmarks().withFaceDescriptors(),
    );
    const faces = found
      .filter(({ detection }) => detection.box.height >= MIN_FACE_HEIGHT)
      .sort((a, b) => b.detection.box.height - a.detection.box.height)
      .slice(0, MAX_FACES);
    return Promise.all(
      faces.map(async ({ detection, alignedRect }) => {
        const aligned = boxOf(alignedRect.box);
        const descriptor = await this.describe(photo, aligned);
        return { box: boxOf(detection.box), aligned, descriptor: descriptor ?? new Float32Array() };
      }),
    );
  }

  /** Euclidean distance to the same place in another picture. */
  async identityDistance(face: JudgedFace, picture: RgbImage): Promise<number | null> {
    const other = await this.describe(picture, face.aligned);
    return other && Math.hypot(...face.descriptor.map((value, index) => value - (other[index] ?? 0)));
  }

  private async describe(picture: RgbImage, box: Box): Promise<Float32Array | null> {
    const part = crop(picture, box);
    if (part.width < MIN_CROP || part.height < MIN_CROP) return null;
    return this.withTensor(part, (tensor) => this.faceApi.computeFaceDescriptor(tensor));
  }

  private async withTensor<Result>(
    { data, width, height }: RgbImage,
    use: (tensor: Tensor) => Promise<Result>,
  ): Promise<Result> {
    const tensor = this.tensorFlow.tensor3d(new Uint8Array(data), [height, width, 3], 'int32');
    try {
      return await use(tensor);
    } finally {
      tensor.dispose();
    }
  }
}

const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });
