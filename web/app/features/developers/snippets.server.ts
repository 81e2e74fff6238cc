const FILES = import.meta.glob<string>('./guide/snippets/*', { eager: true, query: '?raw', import: 'default' });

/** Ways to call the API, in the order of their tabs, by file name extension. */
const LANGUAGES = [
  { extension: '.sh', name: 'curl', highlight: 'bash' },
  { extension: '.ts', name: 'TypeScript', highlight: 'typescript' },
  { extension: '.py', name: 'Python', highlight: 'python' },
  { extension: '.cli', name: 'CLI', highlight: 'bash' },
] as const;

/**
 * A snippet in each language that it has. A test runs the files as they are; pages show the server's own address in place
 * of `https://clearframe.example`.
 */
export function labeledSnippets(name: string): string {
  const fences = LANGUAGES.flatMap(({ extension, name: language, highlight }) => {
    const code = FILES[`./guide/snippets/${name}${extension}`];
    return code === undefined ? [] : [`\`\`\`${highlight} ${language}\n${code.trimEnd()}\n\`\`\``];
  });
  if (fences.length === 0) throw new Error(`the guide has no snippet ${name}`);
  return fences.join('\n\n');
}
