import type { CSSProperties } from 'react';

const FONT = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif';

/** The interface's colors (web/app/styles/tokens.css) in hex: mail clients don't read `oklch`. */
const INK = '#14171d';
const MUTED = '#565d6b';
const LINE = '#dfe3ea';
const ACCENT = '#2457e6';

/** Light; inline, because some clients drop style sheets. */
export const styles = {
  ground: { backgroundColor: '#f4f6f9', color: INK, fontFamily: FONT, padding: '24px 12px 32px' },
  page: { maxWidth: '560px' },
  brand: { width: 'auto', marginBottom: '20px' },
  icon: { width: '42px' },
  image: { display: 'block', borderRadius: '8px', border: 0 },
  name: { color: INK, fontSize: '18px', fontWeight: 600, letterSpacing: '-0.02em', textDecoration: 'none' },
  card: {
    backgroundColor: '#ffffff',
    border: `1px solid ${LINE}`,
    borderRadius: '16px',
    borderCollapse: 'separate',
    padding: '32px 28px',
  },
  heading: { margin: 0, fontSize: '22px', lineHeight: '30px', fontWeight: 650, textWrap: 'balance' },
  figure: { margin: '12px 0 0', fontSize: '36px', lineHeight: '44px', fontWeight: 650 },
  paragraph: { margin: '16px 0 0', fontSize: '16px', lineHeight: '25px' },
  well: { margin: '20px 0 0', padding: '16px 18px', backgroundColor: '#f1f3f7', borderRadius: '12px' },
  codeLabel: { margin: 0, color: MUTED, fontSize: '13px', lineHeight: '18px' },
  code: {
    margin: '4px 0 0',
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: '18px',
    lineHeight: '26px',
    fontWeight: 600,
    wordBreak: 'break-all',
  },
  action: { margin: '24px 0 0' },
  button: {
    backgroundColor: ACCENT,
    color: '#ffffff',
    borderRadius: '12px',
    fontSize: '16px',
    fontWeight: 600,
    padding: '14px 22px',
    textAlign: 'center',
  },
  link: { color: ACCENT, textDecoration: 'underline' },
  rows: { margin: '20px 0 0', borderCollapse: 'collapse' },
  label: {
    padding: '11px 0',
    borderTop: `1px solid ${LINE}`,
    color: MUTED,
    fontSize: '15px',
    lineHeight: '21px',
    fontWeight: 400,
    verticalAlign: 'top',
    whiteSpace: 'nowrap',
  },
  value: {
    padding: '11px 0',
    borderTop: `1px solid ${LINE}`,
    fontSize: '15px',
    lineHeight: '21px',
    fontWeight: 500,
    verticalAlign: 'top',
    // Japanese breaks between any two characters otherwise.
    wordBreak: 'keep-all',
    overflowWrap: 'anywhere',
  },
  footer: { margin: '20px 0 0' },
  small: { margin: '0 0 8px', color: MUTED, fontSize: '13px', lineHeight: '19px' },
  quietLink: { color: MUTED, textDecoration: 'underline' },
} as const satisfies Readonly<Record<string, CSSProperties>>;

/** Overrides for clients with a dark theme that respect it. */
export const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground,.ground td{background-color:#0e1015!important;color:#f1f3f6!important}
.card,.card td,.card th{background-color:#191c23!important;border-color:#2d323d!important}
.well,.well td{background-color:#23272f!important}
.ink{color:#f1f3f6!important}
.muted{color:#a6adba!important}
.line{border-color:#2d323d!important}
.button{background-color:#3f66ee!important;color:#ffffff!important}
.link{color:#9db5ff!important}
}`;
