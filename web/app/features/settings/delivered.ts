/** Parts of the offer that have a page. Interface texts promise only these: set one to true when its page is added. */
export const DELIVERED = {
  batch: true,
  pluginKey: true,
  tools: true,
  video: true,
} as const satisfies Record<string, boolean>;

export type DeliveredPart = keyof typeof DELIVERED;

/** The part that a plan's feature needs, by message key. */
const REQUIRED_PARTS: Readonly<Record<string, DeliveredPart>> = {
  'features.faceModels': 'tools',
  'features.allModels': 'tools',
  'features.bokeh': 'tools',
  'features.beautify': 'tools',
  'features.personalVideo': 'video',
  'features.businessVideo': 'video',
  'features.batch': 'batch',
  'features.plugin': 'pluginKey',
};

/** Whether a plan's feature can be used: features without a required part always can. */
export function isDelivered(textKey: string, delivered: Readonly<Record<DeliveredPart, boolean>> = DELIVERED): boolean {
  const part = REQUIRED_PARTS[textKey];
  return part === undefined || delivered[part];
}
