import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Bundle } from '../../i18n/messages';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

export const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);

/** Data of the server's rendering that hydration needs. */
export interface DocumentData {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Offered languages (BCP 47). */
  readonly languages: readonly string[];
  readonly theme: Theme;
  /** Largest upload in megabytes and megapixels, and longest side of results in pixels. */
  readonly limits: { readonly megabytes: number; readonly megapixels: number; readonly pixels: number };
  readonly messages: Bundle;
  readonly requestId: string;
}

interface DocumentState extends DocumentData {
  readonly nonce: string | undefined;
  /** Applies to this document only; the cookie is set by `/theme`. */
  readonly setTheme: (theme: Theme) => void;
}

const ELEMENT_ID = 'document-data';

const DocumentContext = createContext<DocumentState | null>(null);

interface DocumentProviderProps {
  readonly data: DocumentData;
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

export function DocumentProvider({ data, nonce, children }: DocumentProviderProps) {
  const [theme, setTheme] = useState(data.theme);
  const state = useMemo(() => ({ ...data, nonce, theme, setTheme }), [data, nonce, theme]);
  return <DocumentContext.Provider value={state}>{children}</DocumentContext.Provider>;
}

/** @throws outside of `DocumentProvider` */
export function useDocument(): DocumentState {
  const state = useContext(DocumentContext);
  if (!state) throw new Error('useDocument needs a DocumentProvider');
  return state;
}

export function DocumentDataElement() {
  const { nonce, setTheme, ...data } = useDocument();
  return (
    <script
      id={ELEMENT_ID}
      type="application/json"
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with `<` escaped, which can't close the element
      dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replace(/</g, '\\u003c') }}
    />
  );
}

export function readDocumentData(): DocumentData {
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? '{}') as DocumentData;
}
