/**
 * Parts of the offer that pages of this product deliver today. Interface texts promise only these: set a part to true
 * in the change that adds its page.
 */
export const DELIVERED = {
  /** Several photos in one upload. */
  batch: false,
  /** Keys for the Photoshop plug-in, in the account. */
  pluginKey: false,
  /** Choosing tools and models for a photo. */
  tools: false,
  /** Enhancing videos. */
  video: false,
} as const satisfies Record<string, boolean>;

export type DeliveredPart = keyof typeof DELIVERED;

/** What a plan's feature needs, by its key in the settings; a feature that is not listed needs nothing. */
const NEEDS: Readonly<Record<string, DeliveredPart>> = {
  'features.faceModels': 'tools',
  'features.allModels': 'tools',
  'features.bokeh': 'tools',
  'features.beautify': 'tools',
  'features.personalVideo': 'video',
  'features.businessVideo': 'video',
  'features.batch': 'batch',
  'features.plugin': 'pluginKey',
};

/** Whether a plan's feature can be used today. */
export function isDelivered(textKey: string, delivered: Readonly<Record<DeliveredPart, boolean>> = DELIVERED): boolean {
  const part = NEEDS[textKey];
  return part === undefined || delivered[part];
}
