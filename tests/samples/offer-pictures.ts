import sharp, { type OverlayOptions } from 'sharp';
import type { ProductResults } from './product-results.ts';
import type { Picture } from './sample-pictures.ts';
import { FOLDER } from './sample-pictures.ts';

/** Twice the displayed size, in pixels. */
const WIDTH = 848;
const HEIGHT = 320;
const RADIUS = 20;
/** Room around a card for its shadow. */
const MARGIN = 28;

interface Card {
  readonly picture: Buffer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly turn?: number;
  /** SVG over the picture, in pixels of the card. */
  readonly over?: string;
  readonly isDim?: boolean;
}

interface Art {
  /** The source of the blurred background. */
  readonly back: Buffer;
  readonly cards: readonly Card[];
  /** SVG over the cards. */
  readonly over?: string;
}

/** `offer-NAME.webp`, cards on nothing, and `offer-NAME-back.webp`, the blurred picture behind them. */
export async function makeOfferPictures(results: ProductResults): Promise<void> {
  for (const [name, { back, cards, over }] of Object.entries(await artOf(results))) {
    const layers = await Promise.all(cards.map(layerOf));
    if (over) layers.push({ input: svg(WIDTH, HEIGHT, over) });
    await canvas(WIDTH, HEIGHT)
      .composite(layers)
      .webp({ quality: 68, alphaQuality: 90, effort: 6 })
      .toFile(`${FOLDER}offer-${name}.webp`);
    const small = await sharp(back).resize(106, 40, { fit: 'cover' }).toBuffer();
    await sharp(small).blur(5).webp({ quality: 60, effort: 6 }).toFile(`${FOLDER}offer-${name}-back.webp`);
  }
}

async function artOf(results: ProductResults): Promise<Record<string, Art>> {
  const { portrait, coffee, cat, looks, glam, models, blurred, video } = results;
  const [golden, teal, muted, silky] = looks as [Buffer, Buffer, Buffer, Buffer];
  const faces = await Promise.all([portrait.before, ...models].map(faceOf));
  const row = (pictures: readonly Buffer[], card: Pick<Card, 'width' | 'height'>, gap: number): Card[] => {
    const start = (WIDTH - pictures.length * card.width - (pictures.length - 1) * gap) / 2;
    return pictures.map((picture, index) => ({
      picture,
      ...card,
      x: start + index * (card.width + gap),
      y: (HEIGHT - card.height) / 2,
    }));
  };
  const player = { width: 416, height: 234, x: 216, y: 43 };
  const frames = row(Array<Buffer>(7).fill(video.after), { width: 92, height: 150 }, 10);
  const canvasOf = { x: 236, y: 62, width: 300, height: 216 };
  return {
    batch: {
      back: cat.after,
      cards: row(
        [coffee.after, portrait.after, cat.after, blurred, golden, cat.before, coffee.before],
        { width: 120, height: 170 },
        -12,
      ).map((card, index) => ({
        ...card,
        y: card.y + Math.abs(index - 3) * 8,
        turn: (index - 3) * 3,
        over: index < 5 ? done(card) : '',
      })),
    },
    video: {
      back: video.after,
      cards: [{ ...player, picture: await halvesOf(video, player), over: `${PLAY}${bar(0.4)}` }],
    },
    video_limit: {
      back: portrait.after,
      cards: frames.map((frame, index) => ({ ...frame, isDim: index > 3 })),
      over: `<rect x="66" y="77" width="412" height="166" rx="24" fill="none" stroke="#fff" stroke-width="6"/><path d="M478 130v60" stroke="#16181d" stroke-width="5" stroke-linecap="round"/>`,
    },
    video_week: {
      back: blurred,
      cards: frames.map((frame, index) => ({ ...frame, y: 45, isDim: index > 4 })),
      over: `<rect x="72" y="222" width="704" height="22" rx="11" fill="#fff" opacity=".45"/><rect x="72" y="222" width="504" height="22" rx="11" fill="#fff"/>`,
    },
    formats: {
      back: coffee.after,
      cards: row([coffee.after, portrait.after, cat.after], { width: 190, height: 216 }, 26).map((card, index) => ({
        ...card,
        turn: (index - 1) * 4,
        over: label(card, ['JPG', 'PNG', 'TIFF'][index] ?? ''),
      })),
    },
    downloads: {
      back: golden,
      cards: [
        { picture: coffee.after, x: 230, y: 60, width: 160, height: 200, turn: -9 },
        { picture: cat.after, x: 458, y: 60, width: 160, height: 200, turn: 9 },
        { picture: portrait.after, x: 334, y: 42, width: 180, height: 225 },
      ],
      over: `<circle cx="424" cy="252" r="42" fill="#fff"/>${icon(396, 224, 2.33, '<path d="M12 4v12m-5-5 5 5 5-5M5 20h14"/>')}`,
    },
    premium_models: {
      back: portrait.before,
      cards: row(faces, { width: 220, height: 236 }, 20).map((card, index) => ({
        ...card,
        over: index === 0 ? '' : label(card, `V${index}`),
      })),
    },
    business_models: {
      back: teal,
      cards: row([golden, teal, glam, muted, silky], { width: 140, height: 196 }, 12).map((card, index) =>
        index === 2 ? { ...card, y: card.y - 16, height: card.height + 32 } : card,
      ),
    },
    plugin: {
      back: muted,
      cards: [
        { picture: EDITOR, x: 164, y: 28, width: 520, height: 264 },
        { picture: await halvesOf(portrait, canvasOf), ...canvasOf },
        { picture: portrait.after, x: 572, y: 84, width: 88, height: 56 },
        { picture: portrait.before, x: 572, y: 152, width: 88, height: 56 },
      ],
      over: `<g fill="#8b90a0"><circle cx="186" cy="46" r="5"/><circle cx="204" cy="46" r="5"/><circle cx="222" cy="46" r="5"/></g><g fill="#444a5a">${[84, 122, 160, 198, 236].map((y) => `<rect x="184" y="${y}" width="26" height="26" rx="6"/>`).join('')}</g>`,
    },
  };
}

const EDITOR = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="520" height="264"><path fill="#23262f" d="M0 0h520v264H0z"/></svg>',
);

const PLAY = '<circle cx="208" cy="117" r="46" fill="#fff"/><path d="m194 93 38 24-38 24z" fill="#16181d"/>';

const bar = (part: number): string =>
  `<rect x="20" y="208" width="376" height="8" rx="4" fill="#fff" opacity=".5"/><rect x="20" y="208" width="${376 * part}" height="8" rx="4" fill="#fff"/>`;

const done = ({ width, height }: Pick<Card, 'width' | 'height'>): string =>
  `<circle cx="${width - 24}" cy="${height - 24}" r="15" fill="#fff"/>${icon(width - 35, height - 35, 0.92, '<path d="m6 12.5 4 4 8-9"/>')}`;

const icon = (x: number, y: number, scale: number, path: string): string =>
  `<g transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke="#16181d" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">${path}</g>`;

const label = ({ width, height }: Pick<Card, 'width' | 'height'>, text: string): string =>
  `<rect x="${width / 2 - 42}" y="${height - 46}" width="84" height="36" rx="18" fill="#fff"/><text x="${width / 2}" y="${height - 20}" font-family="DejaVu Sans" font-weight="bold" font-size="22" fill="#16181d" text-anchor="middle">${text}</text>`;

const svg = (width: number, height: number, content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });

/** Half of the picture before, the other half after. */
async function halvesOf(
  { before, after }: Picture,
  { width, height }: Pick<Card, 'width' | 'height'>,
): Promise<Buffer> {
  const [left, right] = await Promise.all(
    [before, after].map((one) => sharp(one).resize(width, height, { fit: 'cover' }).toBuffer()),
  );
  const half = await sharp(right)
    .extract({ left: width / 2, top: 0, width: width / 2, height })
    .toBuffer();
  const line = svg(2, height, `<path fill="#fff" d="M0 0h2v${height}H0z"/>`);
  return sharp(left)
    .composite([
      { input: half, left: width / 2, top: 0 },
      { input: line, left: width / 2 - 1, top: 0 },
    ])
    .png()
    .toBuffer();
}

async function faceOf(portrait: Buffer): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(portrait).metadata();
  const crop = { left: 0.2 * width, top: 0.3 * height, width: 0.6 * width, height: 0.52 * height };
  const [left, top, cropWidth, cropHeight] = Object.values(crop).map(Math.round) as [number, number, number, number];
  return sharp(portrait).extract({ left, top, width: cropWidth, height: cropHeight }).toBuffer();
}

/** A rounded picture with a shadow. */
async function layerOf({ picture, x, y, width, height, turn = 0, over, isDim }: Card): Promise<OverlayOptions> {
  const rounded = (fill: string, opacity = 1) =>
    `<rect width="${width}" height="${height}" rx="${RADIUS}" fill="${fill}" opacity="${opacity}"/>`;
  const position = width > height ? 'centre' : 'top';
  const front = await sharp(await sharp(picture).resize(width, height, { fit: 'cover', position }).toBuffer())
    .ensureAlpha()
    .composite([
      { input: svg(width, height, `${over ?? ''}${isDim ? rounded('#0c0e14', 0.62) : ''}`) },
      { input: svg(width, height, rounded('#fff')), blend: 'dest-in' },
    ])
    .png()
    .toBuffer();
  const [fullWidth, fullHeight] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const shadow = `<g transform="translate(${MARGIN} ${MARGIN + 8})">${rounded('#000', 0.4)}</g>`;
  const card = await canvas(fullWidth, fullHeight)
    .composite([
      {
        input: await sharp(svg(fullWidth, fullHeight, shadow))
          .blur(9)
          .png()
          .toBuffer(),
      },
      { input: front, left: MARGIN, top: MARGIN },
    ])
    .png()
    .toBuffer();
  const turned = await sharp(card)
    .rotate(turn, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer({ resolveWithObject: true });
  return {
    input: turned.data,
    left: Math.round(x + width / 2 - turned.info.width / 2),
    top: Math.round(y + height / 2 - turned.info.height / 2),
  };
}
