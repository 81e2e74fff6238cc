import type { Module } from 'i18next';
import { type CompiledMessage, formatMessage, type MessageValues, unpackMessage } from './compiled-message';

const unpacked = new Map<string, CompiledMessage | null>();

/** Makes i18next put values into compiled messages, as i18next-icu does on the server for the same ones unparsed. */
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
  // Plurals and contexts are inside the messages: there are no other keys to look under.
  addLookupKeys: (keys: string[]): string[] => keys,
};
