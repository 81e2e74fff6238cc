import Bowser from 'bowser';

/** Longer ones are not those of browsers; the parser applies dozens of expressions. */
const MAX_LENGTH = 1_000;

interface Client {
  /** `desktop, macOS 15`; empty when unknown. */
  readonly device: string;
  /** `Firefox 140.0`; empty when unknown. */
  readonly browser: string;
}

/** What a visitor's browser says about itself, for support agents. */
export function clientOf(userAgent: string | null): Client {
  if (!userAgent || userAgent.length > MAX_LENGTH) return { device: '', browser: '' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  const system = joined(' ', os.name, os.version);
  return {
    device: joined(', ', platform.type, joined(' ', platform.vendor, platform.model), system),
    browser: joined(' ', browser.name, browser.version),
  };
}

/** Kind of device, for flags and experiments. A browser that says nothing about it is on a computer. */
export const deviceTypeOf = (userAgent: string | null): 'desktop' | 'mobile' | 'tablet' => {
  const type = userAgent && userAgent.length <= MAX_LENGTH ? Bowser.parse(userAgent).platform.type : undefined;
  return type === 'mobile' || type === 'tablet' ? type : 'desktop';
};

const joined = (separator: string, ...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(separator);
