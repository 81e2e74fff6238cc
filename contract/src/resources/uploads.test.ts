import { describe, expect, it } from 'vitest';
import { CreateBulkUpload, ImageInput, imageInputsOf } from './uploads.js';

describe('the two forms of an upload request', () => {
  it('list the same pictures', () => {
    const picture = { imageContentType: 'image/png', fileName: 'a.png' } as const;
    expect(imageInputsOf(CreateBulkUpload.parse(picture))).toEqual([picture]);
    expect(imageInputsOf(CreateBulkUpload.parse({ inputTaskList: [picture, picture] }))).toEqual([picture, picture]);
  });
});

describe('a file name', () => {
  it.each(['me.jpg', 'Grüße 🌄.jpg', "o'neil & co; x=1.jpg", '../../x', 'n'.repeat(255)])('accepts %j', (fileName) => {
    expect(ImageInput.safeParse({ imageContentType: 'image/png', fileName }).success).toBe(true);
  });

  it.each(['', '   ', 'a\0b', 'a\nb', 'a\u009bb', 'n'.repeat(256)])('rejects %j', (fileName) => {
    expect(ImageInput.safeParse({ imageContentType: 'image/png', fileName }).success).toBe(false);
  });
});
