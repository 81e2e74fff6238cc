import type { ConsentCategory } from './consent-cookie';
import { readStored, writeStored } from './storage';

const KEY = 'clearframe:attribution';

/** Campaigns and attribution (spec 1, section 9). */
const CAMPAIGN = /^(?:utm|t)_\w{1,40}$/;

/** Ids of one click each, by which an advertiser recognizes its visitor. */
const CLICK_IDS: readonly string[] = [
  ...['gclid', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'ttclid', 'twclid'],
  ...['li_fat_id', 'yclid', 'ScCid', 'rdt_cid', 'epik', 'irclickid'],
];

/** An event has to stay small: addresses can hold anything. */
const MAX_PARAMETERS = 20;
const MAX_LENGTH = 200;

type LandingParameters = Readonly<Record<string, string>>;

export function landingParameters(search: string): LandingParameters {
  const found = [...new URLSearchParams(search)].filter(([name]) => CAMPAIGN.test(name) || CLICK_IDS.includes(name));
  return Object.fromEntries(found.slice(0, MAX_PARAMETERS).map(([name, value]) => [name, value.slice(0, MAX_LENGTH)]));
}

/**
 * Landing parameters of this visit or an earlier one, for an event: none without consent to measurement, click ids with
 * consent to advertising only.
 * @param search query of the page that the visit started with
 */
export function attributionFor(search: string, agreed: readonly ConsentCategory[]): LandingParameters {
  if (!agreed.includes('C0002')) return {};
  const allowed = permitted(landingParameters(search), agreed);
  if (Object.keys(allowed).length > 0) writeStored('localStorage', KEY, allowed);
  return permitted(storedParameters(), agreed);
}

const permitted = (parameters: LandingParameters, agreed: readonly ConsentCategory[]): LandingParameters =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) => agreed.includes('C0004') || !CLICK_IDS.includes(name)),
  );

/** Another version of the page may have stored something else. */
function storedParameters(): LandingParameters {
  const value = readStored('localStorage', KEY);
  if (typeof value !== 'object' || value === null) return {};
  return landingParameters(`${new URLSearchParams(Object.entries(value).map(([name, text]) => [name, String(text)]))}`);
}
