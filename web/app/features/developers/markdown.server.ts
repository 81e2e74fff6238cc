import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { Marked, type Token, type Tokens } from 'marked';

for (const [name, language] of Object.entries({ bash, http, json, python, typescript }))
  hljs.registerLanguage(name, language);

export interface Heading {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** Those of the second and third level. */
  readonly headings: readonly Heading[];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Words of a heading without its marks. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('');

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The fence's info string: a language, then what its tab is called. */
function infoOf({ lang = '' }: Tokens.Code): { readonly language: string; readonly label: string } {
  const [language = '', ...label] = lang.split(' ');
  return { language, label: label.join(' ') };
}

function codeBlock(code: Tokens.Code): string {
  const { language } = infoOf(code);
  const html = hljs.getLanguage(language) ? hljs.highlight(code.text, { language }).value : escapeHtml(code.text);
  return `<pre tabindex="0"><code>${html}</code></pre>`;
}

/** Radio buttons, which need no script. The order of the style sheet puts all labels above the code. */
function tabs(group: number, codes: readonly Tokens.Code[]): string {
  const parts = codes.map((code, index) => {
    const { label } = infoOf(code);
    const id = `code-${group}-${slugOf(label)}`;
    const checked = index === 0 ? ' checked' : '';
    return `<input type="radio" name="code-${group}" id="${id}" value="${escapeHtml(label)}"${checked}><label for="${id}">${escapeHtml(label)}</label>${codeBlock(code)}`;
  });
  return `<fieldset class="guide-tabs"><legend class="sr-only">Language</legend>${parts.join('')}</fieldset>`;
}

const isLabeled = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && infoOf(token as Tokens.Code).label !== '';

/** Adjacent fenced blocks with labels, with nothing but space between them. */
function takeLabeled(tokens: readonly Token[], start: number): { readonly codes: Tokens.Code[]; readonly end: number } {
  const codes: Tokens.Code[] = [];
  let end = start;
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (isLabeled(token)) {
      codes.push(token);
      end = index + 1;
    } else if (token?.type !== 'space') break;
  }
  return { codes, end };
}

/** HTML of Markdown without raw HTML, whose tags are shown as text. */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const slug = slugOf(text);
        const repeated = headings.filter(({ id }) => id === slug || id.startsWith(`${slug}--`)).length;
        const id = repeated > 0 ? `${slug}--${repeated + 1}` : slug;
        if (depth > 1 && depth <= 3) headings.push({ id, depth, text });
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      code: codeBlock,
      table({ header, rows }) {
        const cell = ({ tokens, align }: Tokens.TableCell, tag: 'td' | 'th') =>
          `<${tag}${align === 'right' ? ' class="number"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
        // A corner without a text heads nothing.
        const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map((one) => cell(one, one.text === '' ? 'td' : tag)).join('')}</tr>`;
        return `<div class="guide-table" role="group" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
      },
      /** The title holds the size: `960x400`. */
      image({ href, title, text }) {
        const [width, height] = (title ?? '').split('x');
        return `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy" decoding="async">`;
      },
      html: ({ text }) => escapeHtml(text),
    },
  });
  const tokens = marked.lexer(markdown);
  let html = '';
  for (let index = 0; index < tokens.length; ) {
    const { codes, end } = takeLabeled(tokens, index);
    const token = tokens[index];
    if (codes.length > 1) html += tabs(index, codes);
    else if (token) html += marked.parser([token]);
    index = codes.length > 1 ? end : index + 1;
  }
  return { html, headings };
}

/** The text without marks, for the search. */
export const textOfMarkdown = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[#|>-]+|\|(?:\s*:?-+:?\s*\|)+$|[*`]/gm, ' ')
    .replaceAll('|', ' ')
    .replace(/\s+/g, ' ')
    .trim();
