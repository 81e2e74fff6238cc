/**
 * The language tags of an `Accept-Language` header (RFC 9110, section 12.5.4), most wanted first; tags of equal
 * quality keep their order, refused ones (`q=0`) are left out.
 * @param header such as `de-AT,de;q=0.8,en;q=0.5`; null or undefined where there is none
 */
export function acceptedLanguages(header: string | null | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((part, position) => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/);
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, position, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position)
    .map(({ tag }) => tag);
}
