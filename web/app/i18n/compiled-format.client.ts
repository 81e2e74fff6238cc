import type { Module } from 'i18next';
import { type CompiledMessage, formatMessage, type MessageValues, unpackMessage } from './compiled-message';

const unpacked = new Map<string, CompiledMessage | null>();

/** Formats compiled messages for i18next; the server's counterpart is i18next-icu. */
export const compiledFormat: Module & { type: 'i18nFormat' } & Record<string, unknown> = {
  type: 'i18nFormat',
  parse(text: string, values: MessageValues, language: string): string {
    let message = unpacked.get(text);
    if (message === undefined) {
      message = unpackMessage(text);
      unpacked.set(text, message);
    }
    return message ? formatMessage(message, values, language) : text;
  },
  // Plurals are inside the messages: there are no suffixed keys.
  addLookupKeys: (keys: string[]): string[] => keys,
};
