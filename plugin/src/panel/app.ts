import type { User } from '@clearframe/client/schemas.ts';
import { latestVersion, type Offers, Service } from '../api/service.ts';
import { directionOf, languageOf, type Translate, translator } from '../core/texts.ts';
import { type Choices, DEFAULT_CHOICES, type Plan, withoutFaces } from '../core/tools.ts';
import { activeDocument } from '../host/documents.ts';
import { openInBrowser, pluginVersion, uiLocale } from '../host/shell.ts';
import { deviceId, forgetKey, storedKey, storeKey } from '../host/store.ts';
import { choicesOfDocument, lastChoices } from '../work/memory.ts';
import { CATALOGUE } from './catalogue.ts';

declare global {
  /** Where the product runs; set by config.js, which is written when the plug-in is packed. */
  var CLEARFRAME_URL: string;
}

/** What all views share: the language, the account and the choices. */
export class App {
  readonly language = languageOf(uiLocale(), Object.keys(CATALOGUE));
  readonly direction = directionOf(this.language);
  readonly t: Translate = translator(CATALOGUE, this.language);
  readonly url: string = globalThis.CLEARFRAME_URL;
  service: Service | null = null;
  user: User | null = null;
  /** Read when the account is connected. */
  offers: Offers = { tools: [], upscale: { factors: [1], max_side: 0 } };
  choices: Choices = DEFAULT_CHOICES;
  /** By the id of the document. */
  private readonly choicesOf = new Map<number, Choices>();
  private documentId: number | null = null;
  /** Set by the view that shows the document. */
  onDocumentChange: () => unknown = () => undefined;

  /** With the key of last time; without one, or with one that doesn't work any more, the user is asked. @throws why it doesn't */
  async start(): Promise<boolean> {
    this.choices = await lastChoices();
    await this.followDocument();
    const key = await storedKey();
    if (!key) return false;
    await this.connect(await this.serviceFor(key));
    return true;
  }

  async serviceFor(apiKey: string): Promise<Service> {
    return new Service({ apiKey, deviceId: await deviceId(), baseUrl: this.url });
  }

  /** Reads the account and what it may use. */
  async connect(service: Service): Promise<void> {
    const [user, offers] = await Promise.all([service.me(), service.offers(this.language, await deviceId())]);
    Object.assign(this, { service, user, offers });
  }

  /** Binds the key to this device, then keeps it. */
  async activate(key: string, service: Service): Promise<void> {
    await service.activate(await deviceId());
    await storeKey(key);
  }

  async signOut(): Promise<void> {
    await forgetKey();
    Object.assign(this, { service: null, user: null });
  }

  /**
   * Each document has the choices that were last made in it or, before any, those that were made last.
   * @returns whether another one is active
   */
  async followDocument(): Promise<boolean> {
    const document = activeDocument();
    const id = document?.id ?? null;
    if (id === this.documentId) return false;
    if (this.documentId !== null) this.choicesOf.set(this.documentId, this.choices);
    this.documentId = id;
    const ofDocument =
      (id !== null && this.choicesOf.get(id)) || (document?.path ? await choicesOfDocument(document.path) : null);
    this.choices = ofDocument ?? withoutFaces(this.choices);
    return true;
  }

  get plan(): Plan {
    const role = this.user?.role;
    return role === 'personal' || role === 'business' ? role : 'base';
  }

  /** A version that is newer than this one. */
  async update(): Promise<string | null> {
    const latest = await latestVersion(this.url);
    return latest && isNewer(latest, pluginVersion()) ? latest : null;
  }

  open(path: string): void {
    void openInBrowser(`${this.url}${path}`);
  }
}

export function isNewer(latest: string, own: string): boolean {
  const [theirs, ours] = [latest, own].map((version) => version.split('.').map(Number));
  for (const [place, part] of (theirs ?? []).entries()) {
    const mine = ours?.[place] ?? 0;
    if (part !== mine) return part > mine;
  }
  return false;
}
