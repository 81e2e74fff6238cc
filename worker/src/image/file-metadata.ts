import { isUntouched, type Recipe, toolsOf } from '@clearframe/contract';
import { type Exif, withoutLocation } from './exif.js';

export interface PictureMetadata {
  /** Null: sRGB. */
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
}

export interface FileMetadata {
  readonly icc: Buffer | null;
  readonly exif: Exif | null;
  readonly xmp: Buffer | null;
}

/** The picture's own metadata, with the location only on request, and the recipe. */
export function fileMetadataOf(
  { icc, exif }: PictureMetadata,
  { recipe, keepLocation }: { readonly recipe: Recipe | null; readonly keepLocation: boolean },
): FileMetadata {
  return { icc, exif: exif && !keepLocation ? withoutLocation(exif) : exif, xmp: recipe && xmpOf(recipe) };
}

const NAMESPACE = 'http://ns.clearframe.app/recipe/1.0/';
/** IPTC digital source type: enhanced by an algorithm without invented content. */
const ENHANCED = 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/**
 * Tools in order, models with hashes, and the request as JSON; the mark of an algorithm only if it changed the picture. No time
 * stamp: the same recipe gives the same bytes.
 */
export function xmpOf(recipe: Recipe): Buffer {
  const tools = toolsOf(recipe.aiPipeline).map((name) => {
    const settings = { name, ...recipe.aiPipeline[name] };
    const values = Object.entries(settings).map(([key, value]) => `cf:${key}="${escaped(String(value))}"`);
    return `<rdf:li ${values.join(' ')}/>`;
  });
  const models = recipe.models.map(
    ({ id, version, sha256 }) =>
      `<rdf:li cf:id="${escaped(id)}" cf:version="${escaped(version)}" cf:sha256="${escaped(sha256)}"/>`,
  );
  const packet = [
    '<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    ' xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    ` xmlns:cf="${NAMESPACE}" xmp:CreatorTool="Clearframe" cf:recipeVersion="${recipe.version}"`,
    ` cf:aiPipeline="${escaped(JSON.stringify(recipe.aiPipeline))}"`,
    recipe.enlargedBy === undefined ? '' : ` cf:enlargedBy="${recipe.enlargedBy}"`,
    isUntouched(recipe) ? '>' : ` Iptc4xmpExt:DigitalSourceType="${ENHANCED}">`,
    `<cf:tools><rdf:Seq>${tools.join('')}</rdf:Seq></cf:tools>`,
    `<cf:models><rdf:Bag>${models.join('')}</rdf:Bag></cf:models>`,
    '</rdf:Description></rdf:RDF></x:xmpmeta>',
    '<?xpacket end="r"?>',
  ];
  return Buffer.from(packet.join(''), 'utf8');
}
