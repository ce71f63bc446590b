#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the grammar in jitrun-values(5) with the parser of --input.

  grammar.py PAGE SPEC_LINES

Derives sentences from the page's EBNF: the parser must take each, or refuse it
for what it means. Then damages sentences: what is no sentence any more must be
refused."""
import random
import re
import subprocess
import sys

SENTENCES = 6000
# Reasons that the page names beside the grammar.
MEANING = re.compile(
    r"values are given, the type has|this row has|more values than the type"
    r"|more brackets than dimensions|too few brackets|takes no brackets"
    r"|is out of range|has no place in memory|more than 64 dimensions"
    r"|'\[' after the values|is no value of type|is out of the range of"
    r"|a file is given as|is missing after '@'")
TOKEN = re.compile(r'\s*("[^"]*"|\?[^?]*\?|[A-Za-z]+|[\[\]{}()|,;=])')
SPECIAL = {  # of the phrases between question marks, by their beginning
    "a tab": ["\t", "\n", "\t"],
    "the rest": ["x.npy", "x y.bin", "in.npz:w", "a=b,c"],
}


def read_grammar(path):
    text = open(path, encoding="utf-8").read()
    text = text.split(".SH GRAMMAR")[1].split(".EX\n")[1].split(".EE")[0]
    for escape, char in ((r"\(dq", '"'), (r"\(aq", "'"), (r"\-", "-"),
                         (r"\&", ""), (r"\e", "\\")):
        text = text.replace(escape, char)
    tokens = TOKEN.findall(text)
    assert "".join(tokens) == re.sub(
        r'("[^"]*"|\?[^?]*\?)|\s', lambda m: m[1] or "", text), "odd characters"
    rules = {}
    while tokens:
        name, equals = tokens.pop(0), tokens.pop(0)
        assert equals == "=", name
        rules[name] = read_choice(tokens)
        assert tokens.pop(0) == ";", name
    return rules


def read_choice(tokens):
    choices = [read_sequence(tokens)]
    while tokens[0] == "|":
        tokens.pop(0)
        choices.append(read_sequence(tokens))
    return ("choice", choices)


def read_sequence(tokens):
    parts = [read_part(tokens)]
    while tokens[0] == ",":
        tokens.pop(0)
        parts.append(read_part(tokens))
    return ("sequence", parts)


def read_part(tokens):
    token = tokens.pop(0)
    if token in ("{", "[", "("):
        inner = read_choice(tokens)
        assert tokens.pop(0) == {"{": "}", "[": "]", "(": ")"}[token]
        return {"{": "repeat", "[": "option", "(": "choice"}[token], (
            [inner] if token == "(" else inner)
    if token[0] == '"':
        return ("text", token[1:-1])
    if token[0] == "?":
        phrase = token.strip("? ")
        return ("special", next(key for key in SPECIAL
                                if phrase.startswith(key)))
    return ("rule", token)


class Deriver:
    def __init__(self, rules, seed):
        self.rules, self.random = rules, random.Random(seed)

    def derive(self, node, depth):
        kind, value = node
        if kind == "text":
            return value
        if kind == "special":
            return self.random.choice(SPECIAL[value])
        if kind == "rule":
            return self.derive(self.rules[value], depth + 1)
        if kind == "sequence":
            return "".join(self.derive(part, depth) for part in value)
        if kind == "choice":
            return self.derive(self.random.choice(value), depth)
        count = 0
        while count < 4 and self.random.random() < (0.6 if depth < 12 else 0.1):
            count += 1
            if kind == "option":
                break
        return "".join(self.derive(value, depth) for _ in range(count))


class Recognizer:
    """Finds all places where a node that begins at `at` can end."""

    def __init__(self, rules, text):
        self.rules, self.text, self.known = rules, text, {}

    def ends(self, node, at):
        kind, value = node
        if kind == "text":
            return {at + len(value)} if self.text.startswith(value, at) else set()
        if kind == "special":
            if value == "a tab":
                return {at + 1} if self.text[at:at + 1] in set("\t\n\r") else set()
            return {len(self.text)} if at < len(self.text) else set()
        if kind == "rule":
            key = (value, at)
            if key not in self.known:
                self.known[key] = self.ends(self.rules[value], at)
            return self.known[key]
        if kind == "choice":
            return set().union(*(self.ends(part, at) for part in value))
        if kind == "option":
            return {at} | self.ends(value, at)
        places = {at}
        if kind == "sequence":
            for part in value:
                places = set().union(*(self.ends(part, p) for p in places), set())
            return places
        rest = {at}
        while rest:
            rest = set().union(*(self.ends(value, p) for p in rest)) - places
            places |= rest
        return places

    def accepts(self):
        return len(self.text) in self.ends(("rule", "value"), 0)


def escape(text):
    return text.replace("\n", "\\n").replace("\t", "\\t")


def parse(program, sentences):
    output = subprocess.run(
        [program], input="".join(escape(s) + "\n" for s in sentences),
        capture_output=True, text=True, check=True).stdout.split("\n")
    assert len(output) == len(sentences) + 1
    return output


def damage(rng, text):
    place = rng.randrange(len(text) + 1)
    char = rng.choice("0123456789.,[]()=@x+-e \tfin")
    return rng.choice([text[:place] + char + text[place:],
                       text[:place] + text[place + 1:],
                       text[:place] + char + text[place + 1:]])


def main():
    rules = read_grammar(sys.argv[1])
    deriver = Deriver(rules, 1)
    sentences = [deriver.derive(("rule", "value"), 0) for _ in range(SENTENCES)]
    problems = taken = refused = 0
    for sentence, answer in zip(sentences, parse(sys.argv[2], sentences)):
        assert Recognizer(rules, sentence).accepts(), sentence
        taken += answer == "ok"
        if answer != "ok" and not MEANING.search(answer):
            problems += 1
            print(f"derived {sentence!r}: {answer}")
    damaged = [damage(deriver.random, s) for s in sentences if len(s) < 200]
    for sentence, answer in zip(damaged, parse(sys.argv[2], damaged)):
        is_sentence = Recognizer(rules, sentence).accepts()
        refused += not is_sentence
        if is_sentence != (answer == "ok" or bool(MEANING.search(answer))):
            if is_sentence or answer == "ok":
                problems += 1
                print(f"damaged {sentence!r}: {answer}")
    print(f"{len(sentences)} sentences, {taken} taken; {len(damaged)} damaged, "
          f"{refused} no sentences; {problems} problems")
    return 1 if problems else 0


sys.exit(main())
