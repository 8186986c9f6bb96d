// What a person types to find something: all words, in any order, in upper or lower case.

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

// `text` is in lower case. Every text has all of no words.
export function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
